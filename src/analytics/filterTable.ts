import type { AnalyticsDimension } from './AnalyticsQuery.ts';

const unchanged = (value: string) => value;
const lowerCased = (value: string) => value.toLowerCase();
const upperCased = (value: string) => value.toUpperCase();

/** Every dimension by its name in GraphQL, with the spelling of its keys. */
export const FILTERS = {
  country: { dimension: 'country', spell: upperCased },
  region: { dimension: 'region', spell: unchanged },
  city: { dimension: 'city', spell: unchanged },
  platform: { dimension: 'platform', spell: lowerCased },
  device: { dimension: 'device', spell: lowerCased },
  browser: { dimension: 'browser', spell: unchanged },
  language: { dimension: 'language', spell: lowerCased },
  referrerHost: { dimension: 'referrer_host', spell: lowerCased },
  link: { dimension: 'link', spell: unchanged },
  tag: { dimension: 'tag', spell: unchanged },
  domain: { dimension: 'domain', spell: lowerCased },
  slug: { dimension: 'slug', spell: unchanged },
  destination: { dimension: 'destination', spell: unchanged },
  rule: { dimension: 'rule', spell: unchanged },
  utmSource: { dimension: 'utm_source', spell: unchanged },
  utmMedium: { dimension: 'utm_medium', spell: unchanged },
  utmCampaign: { dimension: 'utm_campaign', spell: unchanged },
  utmTerm: { dimension: 'utm_term', spell: unchanged },
  utmContent: { dimension: 'utm_content', spell: unchanged },
  trafficClass: { dimension: 'traffic_class', spell: lowerCased },
  eventName: { dimension: 'event_name', spell: unchanged },
  appVersion: { dimension: 'app_version', spell: unchanged },
  matchMethod: { dimension: 'match_method', spell: lowerCased },
} as const satisfies Record<string, { dimension: AnalyticsDimension; spell(value: string): string }>;

/** A text for each dimension: `DE,AT`, or `-US` for all others. */
export type FilterInput = { [Field in keyof typeof FILTERS]?: string | null };

export const FILTER_FIELDS = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** A value of group_by. */
export type Group = 'none' | 'time' | (typeof FILTERS)[keyof typeof FILTERS]['dimension'];
