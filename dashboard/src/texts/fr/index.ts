import type { FrameTexts, PageLoaders } from '../Texts.ts';
import { common } from './common.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';

/**
 * French, with “vous”. One word for one thing:
 *
 * - short link: lien court; short URL: URL courte; slug, tag, webhook, endpoint: as they are; destination: destination
 * - click: clic; visitor: visiteur; install: installation; app event: événement in-app; open: ouverture
 * - bot: robot; link scanner: scanner de liens; prefetch: préchargement; referrer: site référent; UTM medium: support
 * - analytics: statistiques; overview: vue d’ensemble; unknown link: lien inconnu; import: import
 * - rule: règle; split: répartition; social card: carte de partage; deep link: lien profond; custom data: données personnalisées
 * - matching: attribution; attribution window: fenêtre d’attribution
 * - delivery: livraison; attempt, try: tentative; resend: renvoyer; replay: rejouer; payload: charge utile
 * - signing secret: secret de signature; rotate: renouveler; header: en-tête; body: corps; audit log: journal d’audit
 * - on, held, off (webhook): activé, suspendu, désactivé; blocked: bloqué; archive, unarchive: archiver, désarchiver
 * - team: équipe; owner, admin, member, viewer: propriétaire, administrateur, membre, lecteur; survival mode: mode survie
 * - this installation: cette instance; its operator: l’administrateur de l’instance
 * - key: clé; publishable, secret: publiable, secrète; scope: autorisation; roll: renouveler; fingerprint: empreinte
 * - health: état (page), santé (kind of event or alert); health check: contrôle de santé
 * - acknowledge, resolve (alert): prendre en compte, résoudre; review: réexamen
 * - end (session): fermer; end (key, invitation): expirer; second factor: second facteur; gone for good: définitivement supprimé
 * - delete: supprimer; remove from a list: retirer; discard: abandonner; dismiss: masquer
 *
 * Buttons are infinitives, titles are nouns. U+202F stands before ; : ! ? and %, U+00A0 inside « ». Names for `copyThis` have
 * their article. Times may be “il y a 5 minutes” or “23 nov. 2026”: put them after a colon, or where both read well. A text
 * that gets a number only as a string is written so that one and many read well: “En échec : 1”.
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
