import type { FrameTexts, PageLoaders } from '../Texts.ts';
import { common } from './common.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';

/**
 * German. Readers are addressed with “Sie”; labels and buttons do without an address and are infinitives (“Link erstellen”).
 * The same word for the same thing:
 * - destination: Ziel-URL (the field), Ziel (in sentences); short link, short URL: Kurzlink, Kurz-URL; slug: Slug
 * - analytics: Analysen; metric: Messwert; traffic: Zugriffe; person, bot: Mensch, Bot; visitor: Besucher; prefetch: Vorabruf
 * - install: Installation, and therefore this installation: diese Instanz; operator: Betreiber
 * - event: Ereignis; delivery: Zustellung; attempt: Versuch; endpoint: Endpunkt; resend: erneut senden; replay: nachsenden
 * - request, response: Anfrage, Antwort; payload, body, header: Payload, Body, Header (without an article)
 * - signing secret: Signaturschlüssel, then Schlüssel; secret key, publishable key of the API: Geheimschlüssel, veröffentlichbarer
 *   Schlüssel; scope: Berechtigung; rotate, roll: erneuern; revoke: widerrufen (a key), zurückziehen (an invitation)
 * - webhook on, on hold, off: aktiv, angehalten, deaktiviert
 * - link scheduled, expired, archived, blocked: geplant, abgelaufen, archiviert, gesperrt; unarchive: reaktivieren
 * - rule, condition, split: Regel, Bedingung, Aufteilung; redirect: weiterleiten; attribution, match: Zuordnung, zuordnen
 * - social card: Vorschaukarte; custom data: eigene Daten; alert: Alarm; health: Zustand; survival mode: Notbetrieb
 * - check, finding: Prüfung, Befund; acknowledge, resolve: bestätigen, erledigen; open (an app): Öffnung; audit log: Audit-Log
 * - second factor, recovery code, session: zweiter Faktor, Wiederherstellungscode, Sitzung; phone: Smartphone
 * - owner, admin, member, viewer: Inhaber, Admin, Mitglied, Betrachter
 * - tag: das Tag; “Tags” where it stands alone, since “Tag” is a day
 * What is copied stands before “kopieren”: no article, no masculine adjective. Relative times say “vor” by themselves. Short
 * units end in a dot (“5 Sek.”): no such time at the end of a sentence.
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
