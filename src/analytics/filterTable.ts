import { languageProblem, referrerHostOf, referrerHostProblem } from '../routing/conditionValues.ts';
import { countryOf, countryProblem } from '../routing/countries.ts';
import type { AnalyticsDimension } from './AnalyticsQuery.ts';

const unchanged = (value: string) => value;
const lowerCased = (value: string) => value.toLowerCase();

/** What databases of places have given in the place of a country, besides those that are none any more. */
const NO_COUNTRIES = new Set(['A1', 'A2', 'AN', 'AP', 'EU', 'O1']);
/** As visitors send them; `visitor.ts` reads no others. */
const LANGUAGE = /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}$/;
const HOST = /^[a-z0-9._-]{1,253}$/;

const countryKey = (value: string) => countryOf(value) ?? value.trim().toUpperCase();
const languageKey = (value: string) => value.toLowerCase().replaceAll('_', '-');
const hostKey = (value: string) =>
  HOST.test(value.toLowerCase()) ? value.toLowerCase() : (referrerHostOf(value) ?? value.toLowerCase());

/** A filter: its dimension, how its keys are spelled, and what is wrong with a value that no event can have. */
export interface FilterRow {
  dimension: AnalyticsDimension;
  spell(value: string): string;
  problem?(value: string): string | null;
}

/** Every dimension by its name in GraphQL, with the spelling of its keys. */
export const FILTERS = {
  country: {
    dimension: 'country',
    spell: countryKey,
    problem: (value) => (NO_COUNTRIES.has(countryKey(value)) ? null : countryProblem(value)),
  },
  region: { dimension: 'region', spell: unchanged },
  city: { dimension: 'city', spell: unchanged },
  platform: { dimension: 'platform', spell: lowerCased },
  device: { dimension: 'device', spell: lowerCased },
  browser: { dimension: 'browser', spell: unchanged },
  language: {
    dimension: 'language',
    spell: languageKey,
    problem: (value) => (LANGUAGE.test(languageKey(value)) ? null : languageProblem(value)),
  },
  referrerHost: {
    dimension: 'referrer_host',
    spell: hostKey,
    problem: (value) => (HOST.test(hostKey(value)) ? null : referrerHostProblem(value)),
  },
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
} as const satisfies Record<string, FilterRow>;

/** A text for each dimension: `DE,AT`, or `-US` for all others. */
export type FilterInput = { [Field in keyof typeof FILTERS]?: string | null };

export const FILTER_FIELDS = Object.keys(FILTERS) as (keyof typeof FILTERS)[];

/** A value of group_by. */
export type Group = 'none' | 'time' | (typeof FILTERS)[keyof typeof FILTERS]['dimension'];
