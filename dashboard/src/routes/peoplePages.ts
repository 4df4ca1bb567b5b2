import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Given, textsOf } from '../kernel/search.ts';
import { withTexts } from '../texts/index.ts';
import { shell } from './parents.tsx';

export const teamPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/team',
    validateSearch: (given: Given) => textsOf(given, 'team', 'tab'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('team', () => import('../team/TeamPage.tsx')),
      'TeamPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/team/audit',
    validateSearch: (given: Given) =>
      textsOf(given, 'team', 'actor', 'action', 'subject', 'about_project', 'created_after', 'created_before'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('audit', () => import('../team/AuditPage.tsx')),
      'AuditPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/teams/new',
    staticData: { needsNoProject: true, beginsWithField: true },
    component: lazyRouteComponent(
      withTexts('team', () => import('../team/NewTeamPage.tsx')),
      'NewTeamPage',
    ),
  }),
] as const;

export const accountPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/account',
    validateSearch: (given: Given) => textsOf(given, 'tab'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('account', () => import('../account/AccountPage.tsx')),
      'AccountPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/mail',
    validateSearch: (given: Given) => textsOf(given, 'team'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('watch', () => import('../watch/MailPage.tsx')),
      'MailPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/account/look',
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('account', () => import('../account/LookPage.tsx')),
      'LookPage',
    ),
  }),
] as const;
