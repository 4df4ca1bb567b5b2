import { t } from '../texts/index.ts';
import {
  type Icon,
  IconActivity,
  IconAnalytics,
  IconBell,
  IconGlobe,
  IconHistory,
  IconImport,
  IconKey,
  IconLink,
  IconMail,
  IconOverview,
  IconPalette,
  IconPerson,
  IconPhone,
  IconPlus,
  IconSend,
  IconSettings,
  IconTeam,
  IconWebhook,
} from './icons.ts';

type Address =
  | '/'
  | '/links'
  | '/analytics'
  | '/apps'
  | '/webhooks'
  | '/domains'
  | '/health'
  | '/settings'
  | '/api'
  | '/team'
  | '/account';

export interface NavigationPage {
  to: Address;
  icon: Icon;
  /** Also its key in the texts. */
  name: Exclude<keyof typeof t.shell.abouts, symbol>;
  /** Pages with addresses of their own that belong to this one. */
  also?: string;
  /** The letter after `g`. */
  key: string;
}

/** The pages of the side bar, the palette and the `g` shortcuts: first those of the project, then those of teams and people. */
export const PROJECT_PAGES: readonly NavigationPage[] = [
  { to: '/', icon: IconOverview, name: 'overview', key: 'o' },
  { to: '/links', icon: IconLink, name: 'links', also: '/imports', key: 'l' },
  { to: '/analytics', icon: IconAnalytics, name: 'analytics', key: 'a' },
  { to: '/apps', icon: IconPhone, name: 'apps', key: 'i' },
  { to: '/webhooks', icon: IconWebhook, name: 'webhooks', key: 'w' },
  { to: '/domains', icon: IconGlobe, name: 'domains', key: 'd' },
  { to: '/health', icon: IconActivity, name: 'health', also: '/alerts', key: 'r' },
  { to: '/settings', icon: IconSettings, name: 'settings', key: 's' },
];
const ACCOUNT: NavigationPage = { to: '/account', icon: IconPerson, name: 'account', key: 'p' };
export const FURTHER_NAVIGATION: readonly NavigationPage[] = [
  { to: '/api', icon: IconKey, name: 'api', key: 'k' },
  { to: '/team', icon: IconTeam, name: 'team', key: 't' },
  ACCOUNT,
];
export const NAVIGATION = [...PROJECT_PAGES, ...FURTHER_NAVIGATION];

const PREFERENCES = [
  { to: '/account/mail', icon: IconMail, name: 'mail' },
  { to: '/account/look', icon: IconPalette, name: 'look' },
] as const;

/** Pages below those, which only the palette offers. */
export const FURTHER_PAGES = [
  { to: '/imports', icon: IconImport, name: 'imports' },
  { to: '/analytics/unknown-links', icon: IconLink, name: 'unknownLinks' },
  { to: '/webhooks/events', icon: IconSend, name: 'events' },
  { to: '/apps/installs', icon: IconPhone, name: 'installs' },
  { to: '/apps/simulator', icon: IconPhone, name: 'simulator' },
  { to: '/alerts', icon: IconBell, name: 'alerts' },
  { to: '/team/audit', icon: IconHistory, name: 'auditLog' },
  ...PREFERENCES,
  { to: '/projects/new', icon: IconPlus, name: 'newProject' },
  { to: '/teams/new', icon: IconPlus, name: 'newTeam' },
] as const;

/** The pages of a person, for the menu of the header. */
export const PERSON_PAGES = [ACCOUNT, ...PREFERENCES];
