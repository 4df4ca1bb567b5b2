import type { BenchLink } from './benchLinks.ts';

/** What is asked of `GET /analytics`, without its range; `filters` as in its query. */
export interface Question {
  groupBy: string;
  filters: Record<string, string>;
  /** Classes that count; people when nothing is said. */
  traffic?: string;
  granularity?: string;
  timezone?: typeof ZONE;
}

/** Its days begin at half past six in the evening of UTC, all the year round. */
export const ZONE = 'Asia/Kolkata';

export const INTERVALS = ['24h', '30d', '90d'];

// biome-ignore format: the groups of the API, by kind
const GROUPS = [
  'none', 'time', 'country', 'region', 'city', 'platform', 'device', 'browser', 'language', 'referrer_host',
  'link', 'tag', 'domain', 'slug', 'destination', 'rule',
  'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content',
];

/** Each group alone, and one dimension over time: what is counted ahead of the question. */
export function plainQuestions(): Question[] {
  const classes = { groupBy: 'traffic_class', filters: {}, traffic: 'all' };
  return [
    ...GROUPS.map((groupBy) => ({ groupBy, filters: {} })),
    classes,
    { ...classes, groupBy: 'country' },
    { groupBy: 'time', filters: {}, granularity: 'hour' },
    { groupBy: 'time', filters: {}, granularity: 'day', timezone: ZONE },
    { groupBy: 'none', filters: { country: 'DE' } },
    { groupBy: 'time', filters: { country: 'DE' } },
  ];
}

/** Filters crossed: what only the clicks themselves can tell. */
export function crossedQuestions(links: BenchLink[]): Question[] {
  const [popular, second] = links as [BenchLink, BenchLink];
  return [
    { groupBy: 'city', filters: { country: 'DE' } },
    { groupBy: 'browser', filters: { country: 'DE,AT', platform: 'ios' } },
    { groupBy: 'time', filters: { device: 'mobile', language: 'de' } },
    { groupBy: 'referrer_host', filters: { link: popular.id, country: 'DE' } },
    { groupBy: 'link', filters: { browser: 'Mobile Chrome', utm_source: 'newsletter' } },
    { groupBy: 'destination', filters: { rule: 'ios store', device: 'mobile' } },
    { groupBy: 'utm_campaign', filters: { tag: 'topic 0', country: 'US' } },
    { groupBy: 'tag', filters: { link: `${popular.id},${second.id}`, platform: 'android' } },
    { groupBy: 'region', filters: { country: '-US,IN', device: '-desktop' } },
    { groupBy: 'country', filters: { city: '-London', referrer_host: '-www.google.com' } },
    { groupBy: 'link', filters: { country: 'US', device: 'mobile' } },
    { groupBy: 'traffic_class', filters: { country: 'DE', browser: 'Chrome' }, traffic: 'all' },
  ];
}

/** The path of the REST API that asks it about an interval. */
export function urlOf(question: Question, interval: string): string {
  const query = new URLSearchParams({ group_by: question.groupBy, interval, ...parametersOf(question) });
  return `/analytics?${query}`;
}

/** For a line of a table. */
export function nameOf(question: Question): string {
  const given = Object.entries(parametersOf(question)).map(
    ([name, value]) => `${name}=${value.length > 24 ? '…' : value}`,
  );
  return [question.groupBy, ...given].join(' ');
}

function parametersOf({ groupBy: _, filters, ...others }: Question): Record<string, string> {
  return { ...filters, ...others };
}
