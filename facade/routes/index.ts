import { ALERT_ROUTES } from './alerts.ts';
import { ANALYTICS_ROUTES } from './analytics.ts';
import { DOMAIN_ROUTES } from './domains.ts';
import { EVENT_ROUTES } from './events.ts';
import { HEALTH_ROUTES } from './health.ts';
import { IMPORT_ROUTES } from './imports.ts';
import { INSTALL_ROUTES } from './installs.ts';
import { KEY_ROUTES } from './keys.ts';
import { LINK_ROUTES } from './links.ts';
import { BULK_ROUTES, LINK_TOOL_ROUTES, REVIEW_ROUTES } from './linkTools.ts';
import { PROJECT_ROUTES } from './projects.ts';
import type { Route } from './Route.ts';
import { SDK_ROUTES } from './sdk.ts';
import { TAG_ROUTES } from './tags.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

/** The one table of the operations over HTTP. */
export const ROUTES: Route[] = [
  ...PROJECT_ROUTES,
  ...LINK_ROUTES,
  ...LINK_TOOL_ROUTES,
  ...REVIEW_ROUTES,
  ...BULK_ROUTES,
  ...WEBHOOK_ROUTES,
  ...ANALYTICS_ROUTES,
  ...TAG_ROUTES,
  ...DOMAIN_ROUTES,
  ...EVENT_ROUTES,
  ...KEY_ROUTES,
  ...ALERT_ROUTES,
  ...HEALTH_ROUTES,
  ...IMPORT_ROUTES,
  ...INSTALL_ROUTES,
  ...SDK_ROUTES,
];
