/** Parameters of the address of the list of links, spelled as the filters of REST. */
export const LINK_FILTERS = [
  'search',
  'tag',
  'tag_mode',
  'untagged',
  'status',
  'domain',
  'created_after',
  'created_before',
  'batch_id',
  'created_by',
  'has_routing',
  'sort',
  'order',
] as const;

/** Dimensions by which analytics is filtered, spelled as in REST; their values may be several, and `-` excludes. */
export const ANALYTICS_DIMENSIONS = [
  'link',
  'slug',
  'domain',
  'tag',
  'country',
  'region',
  'city',
  'platform',
  'device',
  'browser',
  'language',
  'referrer_host',
  'destination',
  'rule',
  'traffic_class',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'event_name',
  'app_version',
  'match_method',
] as const;
export type AnalyticsDimension = (typeof ANALYTICS_DIMENSIONS)[number];

/** Parameters of the address of analytics. Mails and alerts link to it: these spellings are fixed. */
export const ANALYTICS_SEARCH = [
  'event',
  'interval',
  'start',
  'end',
  'granularity',
  'timezone',
  'traffic',
  'group_by',
  'compare',
  ...ANALYTICS_DIMENSIONS,
] as const;

/** A short URL as people read it out. */
export function withoutScheme(shortUrl: string): string {
  return shortUrl.replace(/^https?:\/\//, '');
}

/** A URL without what is the same in most of them. */
export function shortAddress(url: string): string {
  return url.replace(/^https:\/\//, '');
}
