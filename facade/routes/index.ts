import type { Route } from '../Route.ts';
import { ANALYTICS_ROUTES } from './analytics.ts';
import { LINK_ROUTES } from './links.ts';
import { PROJECT_ROUTES } from './projects.ts';
import { WEBHOOK_ROUTES } from './webhooks.ts';

/** The one table of the REST API. */
export const ROUTES: Route[] = [...PROJECT_ROUTES, ...LINK_ROUTES, ...WEBHOOK_ROUTES, ...ANALYTICS_ROUTES];
