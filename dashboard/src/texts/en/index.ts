import { common } from './common.ts';
import { linkTexts } from './link.ts';
import { linksTexts } from './links.ts';
import { shell } from './shell.ts';
import { states } from './states.ts';

/** What the frame and the pages of links say; loaded at the start. */
export const texts = {
  common,
  link: linkTexts,
  links: linksTexts,
  shell,
  states,
};

/** What further pages say, loaded beside their code. Only such a page, and what it alone shows, may use them. */
export const pages = {
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
