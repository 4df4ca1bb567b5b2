import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { ANALYTICS_SEARCH, LINK_FILTERS } from '../kernel/addresses.ts';
import { type Given, textsOf } from '../kernel/search.ts';
import { withTexts } from '../texts/index.ts';
import { shell } from './parents.tsx';

export const overviewPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/',
    component: lazyRouteComponent(
      withTexts('overview', () => import('../overview/OverviewPage.tsx')),
      'OverviewPage',
    ),
  }),
] as const;

export const linkPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/links',
    validateSearch: (given: Given) => textsOf(given, ...LINK_FILTERS),
    component: lazyRouteComponent(() => import('../links/LinksPage.tsx'), 'LinksPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/new',
    staticData: { beginsWithField: true },
    // What another page hands over: an unknown slug, a pasted destination, a link to duplicate, an unsaved draft.
    validateSearch: (given: Given) => textsOf(given, 'destination', 'slug', 'domain', 'from', 'draft'),
    component: lazyRouteComponent(
      withTexts('builder', () => import('../links/builder/NewLinkPage.tsx')),
      'NewLinkPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/$linkId',
    validateSearch: (given: Given) => textsOf(given, 'tab', ...ANALYTICS_SEARCH),
    component: lazyRouteComponent(() => import('../links/one/LinkPage.tsx'), 'LinkPage'),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/links/$linkId/edit',
    component: lazyRouteComponent(
      withTexts('builder', () => import('../links/builder/EditLinkPage.tsx')),
      'EditLinkPage',
    ),
  }),
] as const;

export const importPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/imports',
    component: lazyRouteComponent(
      withTexts('imports', () => import('../imports/ImportsPage.tsx')),
      'ImportsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/imports/new',
    validateSearch: (given: Given) => textsOf(given, 'format'),
    component: lazyRouteComponent(
      withTexts('imports', () => import('../imports/NewImportPage.tsx')),
      'NewImportPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/imports/$importId',
    validateSearch: (given: Given) => textsOf(given, 'outcome'),
    component: lazyRouteComponent(
      withTexts('imports', () => import('../imports/ImportPage.tsx')),
      'ImportPage',
    ),
  }),
] as const;

export const analyticsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/analytics',
    validateSearch: (given: Given) => textsOf(given, ...ANALYTICS_SEARCH),
    component: lazyRouteComponent(
      withTexts('analytics', () => import('../analytics/AnalyticsPage.tsx')),
      'AnalyticsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/analytics/unknown-links',
    validateSearch: (given: Given) => textsOf(given, 'interval'),
    component: lazyRouteComponent(
      withTexts('analytics', () => import('../analytics/UnknownLinksPage.tsx')),
      'UnknownLinksPage',
    ),
  }),
] as const;
