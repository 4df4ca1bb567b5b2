import type { AnalyticsDimension } from './Question.ts';

const asItIs = (value: string) => value;
const lowerCased = (value: string) => value.toLowerCase();
const upperCased = (value: string) => value.toUpperCase();

/** Every dimension, as GraphQL spells it, and how its keys are written. */
export const FILTERS = {
  country: { dimension: 'country', spell: upperCased },
  region: { dimension: 'region', spell: asItIs },
  city: { dimension: 'city', spell: asItIs },
  platform: { dimension: 'platform', spell: lowerCased },
  device: { dimension: 'device', spell: lowerCased },
  browser: { dimension: 'browser', spell: asItIs },
  language: { dimension: 'language', spell: lowerCased },
  referrerHost: { dimension: 'referrer_host', spell: lowerCased },
  link: { dimension: 'link', spell: asItIs },
  tag: { dimension: 'tag', spell: asItIs },
  domain: { dimension: 'domain', spell: lowerCased },
  slug: { dimension: 'slug', spell: asItIs },
  destination: { dimension: 'destination', spell: asItIs },
  rule: { dimension: 'rule', spell: asItIs },
  utmSource: { dimension: 'utm_source', spell: asItIs },
  utmMedium: { dimension: 'utm_medium', spell: asItIs },
  utmCampaign: { dimension: 'utm_campaign', spell: asItIs },
  utmTerm: { dimension: 'utm_term', spell: asItIs },
  utmContent: { dimension: 'utm_content', spell: asItIs },
  trafficClass: { dimension: 'traffic_class', spell: lowerCased },
  eventName: { dimension: 'event_name', spell: asItIs },
  appVersion: { dimension: 'app_version', spell: asItIs },
} as const satisfies Record<string, { dimension: AnalyticsDimension; spell(value: string): string }>;

/** One text for each dimension: `DE,AT`, or `-US` for all but these. */
export type FilterInput = { [Field in keyof typeof FILTERS]?: string | null };

export const FILTER_FIELDS = Object.keys(FILTERS) as (keyof typeof FILTERS)[];
