import { t } from '../texts/index.ts';
import { type Icon, IconAnalytics, IconImport, IconLink, IconOverview, IconSend, IconWebhook } from '../ui/icons.ts';

export interface NavigationPage {
  to: '/' | '/links' | '/analytics' | '/webhooks';
  icon: Icon;
  label: () => string;
  about: () => string;
  /** Pages with addresses of their own that belong to this one. */
  also?: string;
  /** The letter after `g`. */
  key: string;
}

/** The pages of the side bar, the palette and the `g` shortcuts. */
export const NAVIGATION: readonly NavigationPage[] = [
  { to: '/', icon: IconOverview, label: () => t.shell.pages.overview, about: () => t.shell.abouts.overview, key: 'o' },
  { to: '/links', icon: IconLink, label: () => t.shell.pages.links, about: () => t.shell.abouts.links, key: 'l' },
  {
    to: '/analytics',
    icon: IconAnalytics,
    label: () => t.shell.pages.analytics,
    about: () => t.shell.abouts.analytics,
    key: 'a',
  },
  {
    to: '/webhooks',
    icon: IconWebhook,
    label: () => t.shell.pages.webhooks,
    about: () => t.shell.abouts.webhooks,
    key: 'w',
  },
];

/** Pages below those, which only the palette offers. */
export const FURTHER_PAGES = [
  { to: '/imports', icon: IconImport, label: () => t.shell.pages.imports },
  { to: '/analytics/unknown-links', icon: IconLink, label: () => t.shell.pages.unknownLinks },
  { to: '/webhooks/events', icon: IconSend, label: () => t.shell.pages.events },
] as const;
