import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { type Given, textsOf } from '../kernel/search.ts';
import { withTexts } from '../texts/index.ts';
import { shell } from './parents.tsx';

export const appPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/apps',
    validateSearch: (given: Given) => textsOf(given, 'interval', 'start', 'end', 'timezone'),
    component: lazyRouteComponent(
      withTexts(['apps', 'analytics'], () => import('../apps/AppsPage.tsx')),
      'AppsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/apps/installs',
    validateSearch: (given: Given) => textsOf(given, 'platform', 'method', 'matched', 'search', 'link'),
    component: lazyRouteComponent(
      withTexts('apps', () => import('../apps/InstallsPage.tsx')),
      'InstallsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/apps/installs/$installId',
    component: lazyRouteComponent(
      withTexts('apps', () => import('../apps/InstallPage.tsx')),
      'InstallPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/apps/simulator',
    validateSearch: (given: Given) => textsOf(given, 'inputs'),
    component: lazyRouteComponent(
      withTexts('apps', () => import('../apps/SimulatorPage.tsx')),
      'SimulatorPage',
    ),
  }),
] as const;

export const webhookPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks',
    component: lazyRouteComponent(
      withTexts('webhooks', () => import('../webhooks/WebhooksPage.tsx')),
      'WebhooksPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/new',
    staticData: { beginsWithField: true },
    component: lazyRouteComponent(
      withTexts('webhooks', () => import('../webhooks/NewWebhookPage.tsx')),
      'NewWebhookPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/events',
    validateSearch: (given: Given) => textsOf(given, 'type', 'created_after', 'created_before', 'open'),
    component: lazyRouteComponent(
      withTexts('webhooks', () => import('../webhooks/EventsPage.tsx')),
      'EventsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/$webhookId',
    validateSearch: (given: Given) => textsOf(given, 'tab', 'since', 'until', 'which'),
    component: lazyRouteComponent(
      withTexts('webhooks', () => import('../webhooks/one/WebhookPage.tsx')),
      'WebhookPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/webhooks/$webhookId/deliveries',
    validateSearch: (given: Given) =>
      textsOf(given, 'open', 'status', 'event_type', 'event_id', 'created_after', 'created_before'),
    component: lazyRouteComponent(
      withTexts('webhooks', () => import('../webhooks/one/WebhookPage.tsx')),
      'WebhookPage',
    ),
  }),
] as const;

export const domainPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/domains',
    component: lazyRouteComponent(
      withTexts('domains', () => import('../domains/DomainsPage.tsx')),
      'DomainsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/domains/new',
    staticData: { beginsWithField: true },
    component: lazyRouteComponent(
      withTexts('domains', () => import('../domains/NewDomainPage.tsx')),
      'NewDomainPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/domains/$domainId',
    component: lazyRouteComponent(
      withTexts('domains', () => import('../domains/DomainPage.tsx')),
      'DomainPage',
    ),
  }),
] as const;

export const watchPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/health',
    validateSearch: (given: Given) => textsOf(given, 'check'),
    component: lazyRouteComponent(
      withTexts('watch', () => import('../watch/HealthPage.tsx')),
      'HealthPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts',
    validateSearch: (given: Given) => textsOf(given, 'team', 'status', 'severity', 'kind'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('watch', () => import('../watch/AlertsPage.tsx')),
      'AlertsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/alerts/$alertId',
    validateSearch: (given: Given) => textsOf(given, 'team'),
    staticData: { needsNoProject: true },
    component: lazyRouteComponent(
      withTexts('watch', () => import('../watch/AlertPage.tsx')),
      'AlertPage',
    ),
  }),
] as const;

export const settingsPages = [
  createRoute({
    getParentRoute: () => shell,
    path: '/settings',
    validateSearch: (given: Given) => textsOf(given, 'tab', 'app'),
    component: lazyRouteComponent(
      withTexts('settings', () => import('../settings/SettingsPage.tsx')),
      'SettingsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/projects/new',
    validateSearch: (given: Given) => textsOf(given, 'team'),
    staticData: { needsNoProject: true, beginsWithField: true },
    component: lazyRouteComponent(
      withTexts('settings', () => import('../settings/NewProjectPage.tsx')),
      'NewProjectPage',
    ),
  }),
  createRoute({
    getParentRoute: () => shell,
    path: '/api',
    validateSearch: (given: Given) => textsOf(given, 'tab'),
    component: lazyRouteComponent(
      withTexts('api', () => import('../api/ApiPage.tsx')),
      'ApiPage',
    ),
  }),
] as const;
