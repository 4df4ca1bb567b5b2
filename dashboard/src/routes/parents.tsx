import { createRootRoute, createRoute, Outlet, redirect, retainSearchParams } from '@tanstack/react-router';
import { queryClient } from '../kernel/queries.ts';
import { type Given, textsOf } from '../kernel/search.ts';
import { sessionQuery } from '../session/session.ts';
import { CrashPage } from '../shell/fallbacks.tsx';
import { Shell } from '../shell/Shell.tsx';

export const root = createRootRoute({ component: Outlet, errorComponent: CrashPage });

/** Pages for people who are not signed in, outside the shell. */
export const entrance = createRoute({ getParentRoute: () => root, id: 'entrance', component: Outlet });

/** Pages of people who are signed in. Every address can name its project. */
export const shell = createRoute({
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
