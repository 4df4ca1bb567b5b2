/**
 * The dimensions by which clicks are grouped and filtered, each with the SQL of its key in `clicks`. NULL and the empty text both
 * stand for unknown: no dimension has an empty value.
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
  // A click has a key for each tag of its link; stored is the list of the tags' ids, as JSON.
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
