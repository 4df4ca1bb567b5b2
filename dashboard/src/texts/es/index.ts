import type { FrameTexts, PageLoaders } from '../Texts.ts';
import { common } from './common.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';

/**
 * Spanish for Spain and Latin America alike: “tú”, infinitives or nouns on buttons, no word that only one side uses
 * (escritorio, teléfono, archivo). From a million on, `many` takes “de”: “1.000.000 de enlaces”.
 *
 * - link, short URL, slug, tag, destination: enlace, URL corta, slug, etiqueta, destino
 * - routing rule, split, fallback, social card: regla de enrutamiento, reparto, alternativa, tarjeta social
 * - click, visitor, install, app event: clic, visitante, instalación, evento de app
 * - referrer; UTM source, medium: sitio de referencia (referencia where there is little room); fuente, medio
 * - bot, link scanner, prefetch: bot, escáner de enlaces, precarga
 * - overview, analytics: resumen, estadísticas; range, interval: periodo, intervalo
 * - installation of this service, operator: instancia, operador
 * - team, project; owner, admin, member, viewer: equipo, proyecto; propietario, administrador, miembro, lector
 * - webhook, endpoint, payload, request: webhook, endpoint, carga útil, solicitud
 * - delivery, attempt, receiver, signing secret: entrega, intento, receptor, secreto de firma
 * - secret or publishable key, scope; roll, revoke: clave secreta o publicable, permiso; rotar, revocar
 * - match, matching window; take back: atribución, ventana de atribución; retirar
 * - raise, acknowledge an alert: emitir, marcar como vista; remove: quitar; gone for good: eliminación definitiva
 * - resend one delivery: reenviar; replay many events: reemitir
 * - expire, archive, block, delete, discard: expirar, archivar, bloquear, eliminar, descartar
 * - switch on or off: activar, desactivar; on hold: en espera; waiting to be sent: pendiente, por enviar
 * - failed beside a number: con error, which has no gender or plural
 * - sign in or out: iniciar o cerrar sesión; live: en tiempo real; survival mode: modo de supervivencia
 */
export const texts: FrameTexts = {
  common,
  link: linkTexts,
  links: linksTexts,
  shell,
  states,
};

export const pages: PageLoaders = {
  account: () => import('./pages/account.ts'),
  analytics: () => import('./pages/analytics.ts'),
  api: () => import('./pages/api.ts'),
  apps: () => import('./pages/apps.ts'),
  audit: () => import('./pages/audit.ts'),
  domains: () => import('./pages/domains.ts'),
  entrance: () => import('./pages/entrance.ts'),
  overview: () => import('./pages/overview.ts'),
  settings: () => import('./pages/settings.ts'),
  team: () => import('./pages/team.ts'),
  builder: () => import('./pages/builder.ts'),
  linkParts: () => import('./pages/linkParts.ts'),
  imports: () => import('./pages/imports.ts'),
  managed: () => import('./pages/managed.ts'),
  webhooks: () => import('./pages/webhooks.ts'),
  watch: () => import('./pages/watch.ts'),
};
