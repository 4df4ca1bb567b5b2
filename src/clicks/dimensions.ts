/**
 * What clicks are grouped and filtered by, each with where `clicks` has its key. The key of what is not known is the
 * empty text, for no dimension has an empty value.
 */
export const DIMENSIONS = {
  country: 'country',
  region: 'region',
  city: 'city',
  platform: 'platform',
  device: 'device',
  browser: 'browser',
  language: 'language',
  referrer_host: 'referrer_host',
  link: 'link_id',
  // A click has as many keys as its link had tags: the list of their ids, as JSON.
  tag: "NULLIF(CAST(tag_ids AS TEXT), '[]')",
  domain: 'domain',
  slug: 'slug',
  destination: 'destination',
  rule: 'rule',
  utm_source: "utm ->> 'source'",
  utm_medium: "utm ->> 'medium'",
  utm_campaign: "utm ->> 'campaign'",
  utm_term: "utm ->> 'term'",
  utm_content: "utm ->> 'content'",
} as const satisfies Record<string, string>;

export type Dimension = keyof typeof DIMENSIONS;

export const DIMENSION_NAMES = Object.keys(DIMENSIONS) as Dimension[];
