import { createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from './kernel/search.ts';
import { entrancePages } from './routes/entrancePages.ts';
import { analyticsPages, importPages, linkPages, overviewPages } from './routes/linkPages.ts';
import { entrance, root, shell } from './routes/parents.tsx';
import { accountPages, teamPages } from './routes/peoplePages.ts';
import { appPages, domainPages, settingsPages, watchPages, webhookPages } from './routes/projectPages.ts';
import { CrashPage, PendingPage } from './shell/fallbacks.tsx';

/** Everything else below the frame, from which every page can be reached. */
const elsewhere = createRoute({
  getParentRoute: () => shell,
  path: '$',
  component: lazyRouteComponent(() => import('./shell/NotFoundPage.tsx'), 'NotFoundPage'),
});

const tree = root.addChildren([
  entrance.addChildren(entrancePages),
  shell.addChildren([
    ...overviewPages,
    ...linkPages,
    ...importPages,
    ...analyticsPages,
    ...appPages,
    ...webhookPages,
    ...domainPages,
    ...watchPages,
    ...settingsPages,
    ...teamPages,
    ...accountPages,
    elsewhere,
  ]),
]);

/** The table of pages: each is a row with its path, what its address may hold, and the file that is loaded for it. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  // Below the frame, so that all other pages can be reached.
  defaultErrorComponent: CrashPage,
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface StaticDataRouteOption {
    /** The page stands also where there is no project yet. */
    needsNoProject?: boolean;
    /** The focus goes to a field, `FIRST_FIELD`, and what is typed while the page is on its way is kept for it. */
    beginsWithField?: boolean;
  }
}
