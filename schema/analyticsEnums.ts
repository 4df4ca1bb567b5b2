import {
  ANALYTICS_CHOICES,
  type AnalyticsEvent,
  type Granularity,
  type Group,
} from '../src/analytics/analyticsService.ts';
import type { Device, Platform } from '../src/routing/agent.ts';
import type { TrafficClass } from '../src/routing/trafficReason.ts';
import { fixedWords } from './rules.ts';

/** Every dimension of analytics is a filter of its own. */
export const ANALYTICS_FILTERS = ANALYTICS_CHOICES.filters;

export const PLATFORMS = fixedWords<Platform>('VisitorPlatform', 'The operating system of a visitor.', {
  ios: 'iOS or iPadOS.',
  android: 'Android.',
  windows: 'Windows.',
  macos: 'macOS.',
  linux: 'Linux.',
  other: 'Any other, or unknown.',
});

export const DEVICES = fixedWords<Device>('VisitorDevice', 'The kind of device of a visitor.', {
  mobile: 'A phone.',
  tablet: 'A tablet.',
  desktop: 'A computer, or unknown.',
});

export const ANALYTICS_EVENTS = fixedWords<AnalyticsEvent>('AnalyticsEvent', 'What analytics count.', {
  click: 'Clicks on links.',
  install: 'First openings of apps.',
  open: 'Openings of apps.',
  app_event: 'Events that apps report.',
  orphan: 'Visits of URLs without a link.',
});

export const ANALYTICS_GROUPS = fixedWords<Group>('AnalyticsGroup', 'What figures are grouped by.', {
  none: 'Nothing: only the total.',
  time: 'Time, by granularity.',
  country: 'Countries, as two capital letters.',
  region: 'Regions of countries.',
  city: 'Cities.',
  platform: 'Operating systems.',
  device: 'Kinds of devices.',
  browser: 'Browsers.',
  language: 'Preferred languages.',
  referrer_host: 'Hosts that visitors come from.',
  link: 'Links, by id.',
  tag: 'Tags; a click counts for each tag of its link.',
  domain: 'Hosts of short URLs.',
  slug: 'Slugs.',
  destination: 'Destinations that visitors were sent to.',
  rule: 'Rules and split entries that decided.',
  utm_source: 'utm_source of the clicks.',
  utm_medium: 'utm_medium of the clicks.',
  utm_campaign: 'utm_campaign of the clicks.',
  utm_term: 'utm_term of the clicks.',
  utm_content: 'utm_content of the clicks.',
  traffic_class: 'People, bots, scanners and prefetches.',
  event_name: 'Names of app events.',
  app_version: 'Versions of apps.',
  match_method: 'How openings of apps were traced back to clicks: link, referrer, clipboard, probabilistic or none.',
});

export const GRANULARITIES = fixedWords<Granularity>('Granularity', 'The length of a row in time.', {
  minute: 'A minute.',
  hour: 'An hour.',
  day: 'A day of the time zone.',
  week: 'A week from Monday on.',
  month: 'A month of the calendar.',
});

export const TRAFFIC_CLASSES = fixedWords<TrafficClass>('TrafficClass', 'Who followed a link.', {
  human: 'A person.',
  bot: 'A bot.',
  scanner: 'A mail gateway or another scanner.',
  prefetch: 'A browser that loads ahead.',
});

export const TRAFFIC = fixedWords<'all' | TrafficClass>('Traffic', 'Whose clicks are counted.', {
  human: 'Those of people.',
  all: 'All.',
  bot: 'Those of bots.',
  scanner: 'Those of mail gateways and other scanners.',
  prefetch: 'Those of browsers that load ahead.',
});
