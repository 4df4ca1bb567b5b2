import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { queryClient } from '../kernel/queries.ts';
import { type Given, textsOf } from '../kernel/search.ts';
import { safeReturn } from '../session/leaveToSignIn.ts';
import { sessionQuery } from '../session/session.ts';
import { withTexts } from '../texts/index.ts';
import { entrance } from './parents.tsx';

/** Nobody, as long as the service does not answer: the form can be filled in meanwhile. */
const isSignedIn = async () =>
  (await queryClient.fetchQuery({ ...sessionQuery, retry: false }).catch(() => null)) !== null;

export const entrancePages = [
  createRoute({
    getParentRoute: () => entrance,
    path: '/sign-in',
    // `deleted`: until when an account can be restored that was just deleted here. `ended`: the session has ended by itself.
    validateSearch: (given: Given) => textsOf(given, 'to', 'deleted', 'ended'),
    beforeLoad: async ({ search }) => {
      if (await isSignedIn()) throw redirect({ href: `/app${safeReturn(search.to)}` });
    },
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/SignInPage.tsx')),
      'SignInPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/sign-up',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/SignUpPage.tsx')),
      'SignUpPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/forgot-password',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/ForgotPasswordPage.tsx')),
      'ForgotPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/reset-password',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/ResetPasswordPage.tsx')),
      'ResetPasswordPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/invitation',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/InvitationPage.tsx')),
      'InvitationPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/change-email',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/ChangeEmailPage.tsx')),
      'ChangeEmailPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/undo-email-change',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/UndoEmailChangePage.tsx')),
      'UndoEmailChangePage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/undo-second-factor',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/UndoSecondFactorPage.tsx')),
      'UndoSecondFactorPage',
    ),
  }),
  createRoute({
    getParentRoute: () => entrance,
    path: '/confirm-email',
    component: lazyRouteComponent(
      withTexts('entrance', () => import('../entrance/ConfirmEmailPage.tsx')),
      'ConfirmEmailPage',
    ),
  }),
] as const;
