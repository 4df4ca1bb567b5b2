import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { ANALYTICS_SEARCH, LINK_FILTERS } from './kernel/addresses.ts';
import { queryClient } from './kernel/queries.ts';
import { type Given, parseSearch, stringifySearch, textsOf } from './kernel/search.ts';
import { safeReturn } from './session/leaveToSignIn.ts';
import { sessionQuery } from './session/session.ts';
import { CrashPage, NotFoundPage, PendingPage } from './shell/fallbacks.tsx';
import { Shell } from './shell/Shell.tsx';

const root = createRootRoute({ component: Outlet, errorComponent: CrashPage });

/** Pages for people who are not signed in, outside the shell. */
const entrance = createRoute({ getParentRoute: () => root, id: 'entrance', component: Outlet });

/** Pages of people who are signed in. Every address can name its project. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  validateSearch: (given: Given) => textsOf(given, 'project'),
  search: { middlewares: [retainSearchParams(['project'])] },
  beforeLoad: async ({ location }) => {
    const session = await queryClient.ensureQueryData(sessionQuery);
    if (!session) throw redirect({ to: '/sign-in', search: { to: location.href.replace(/^\/app/, '') || '/' } });
  },
});

/** Nobody, as long as the service does not answer: the form can be filled in meanwhile. */
const isSignedIn = async () =>
  (await queryClient.fetchQuery({ ...sessionQuery, retry: false }).catch(() => null)) !== null;

const entrancePages = [
  createRoute({
    getParentRoute: () => entrance,
    path: '/sign-in',
    validateSearch: (given: Given) => textsOf(given, 'to'),
    beforeLoad: async ({ search }) => {
      if (await isSignedIn()) throw redirect({ href: `/app${safeReturn(search.to)}` });
    },
    component: lazyRouteComponent(() => import('./entrance/SignInPage.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/sign-up',
    component: lazyRouteComponent(() => import('./entrance/SignUpPage.tsx'), 'SignUpPage'),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/forgot-password',
    component: lazyRouteComponent(() => import('./entrance/ForgotPasswordPage.tsx'), 'ForgotPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/reset-password',
    component: lazyRouteComponent(() => import('./entrance/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/invitation',
    component: lazyRouteComponent(() => import('./entrance/InvitationPage.tsx'), 'InvitationPage'),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/confirm-email',
    component: lazyRouteComponent(() => import('./entrance/ConfirmEmailPage.tsx'), 'ConfirmEmailPage'),
  }),
] as const;

const overviewPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyRouteComponent(() => import('./overview/OverviewPage.tsx'), 'OverviewPage'),
  }),
] as const;

const linkPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/links',
    validateSearch: (given: Given) => textsOf(given, ...LINK_FILTERS),
    component: lazyRouteComponent(() => import('./links/LinksPage.tsx'), 'LinksPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/new',
    // What another page hands over: an unknown slug, a pasted destination, a link to duplicate, an unsaved draft.
    validateSearch: (given: Given) => textsOf(given, 'destination', 'slug', 'domain', 'from', 'draft'),
    component: lazyRouteComponent(() => import('./links/builder/NewLinkPage.tsx'), 'NewLinkPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/$linkId',
    validateSearch: (given: Given) => textsOf(given, 'tab', ...ANALYTICS_SEARCH),
    component: lazyRouteComponent(() => import('./links/one/LinkPage.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/$linkId/edit',
    component: lazyRouteComponent(() => import('./links/builder/EditLinkPage.tsx'), 'EditLinkPage'),
  }),
] as const;

const importPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/imports',
    component: lazyRouteComponent(() => import('./imports/ImportsPage.tsx'), 'ImportsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/imports/new',
    validateSearch: (given: Given) => textsOf(given, 'format'),
    component: lazyRouteComponent(() => import('./imports/NewImportPage.tsx'), 'NewImportPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/imports/$importId',
    validateSearch: (given: Given) => textsOf(given, 'outcome'),
    component: lazyRouteComponent(() => import('./imports/ImportPage.tsx'), 'ImportPage'),
  }),
] as const;

const analyticsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/analytics',
    validateSearch: (given: Given) => textsOf(given, ...ANALYTICS_SEARCH),
    component: lazyRouteComponent(() => import('./analytics/AnalyticsPage.tsx'), 'AnalyticsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/analytics/unknown-links',
    validateSearch: (given: Given) => textsOf(given, 'interval'),
    component: lazyRouteComponent(() => import('./analytics/UnknownLinksPage.tsx'), 'UnknownLinksPage'),
  }),
] as const;

const webhookPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks',
    component: lazyRouteComponent(() => import('./webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/new',
    component: lazyRouteComponent(() => import('./webhooks/NewWebhookPage.tsx'), 'NewWebhookPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/events',
    validateSearch: (given: Given) => textsOf(given, 'type', 'created_after', 'created_before', 'open'),
    component: lazyRouteComponent(() => import('./webhooks/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/$webhookId',
    validateSearch: (given: Given) => textsOf(given, 'tab', 'since', 'until', 'which'),
    component: lazyRouteComponent(() => import('./webhooks/one/WebhookPage.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/$webhookId/deliveries',
    validateSearch: (given: Given) =>
      textsOf(given, 'open', 'status', 'event_type', 'event_id', 'created_after', 'created_before'),
    component: lazyRouteComponent(() => import('./webhooks/one/WebhookPage.tsx'), 'WebhookPage'),
  }),
] as const;

/** Everything else below the frame, from which every page can be reached. */
const elsewhere = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });

const tree = root.addChildren([
  entrance.addChildren(entrancePages),
  shell.addChildren([...overviewPages, ...linkPages, ...importPages, ...analyticsPages, ...webhookPages, elsewhere]),
]);

/** The table of pages: each is a row with its path, what its address may hold, and the file that is loaded for it. */
export const router = createRouter({
  routeTree: tree,
  basepath: '/app',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 300,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
