import { ANALYTICS_DIMENSIONS, type ANALYTICS_SEARCH, type AnalyticsDimension } from '../kernel/addresses.ts';
import type { VariablesOf } from '../kernel/graphql.ts';
import { timezone } from '../kernel/times.ts';
import { dayIn, isZone, startOfDay } from '../kernel/zones.ts';
import type { SERIES } from './operations.ts';
import { writtenValues } from './values.ts';

/** The parameters of the address. */
export type AnalyticsSearch = Partial<Record<(typeof ANALYTICS_SEARCH)[number], string>>;
export type Variables = VariablesOf<typeof SERIES>;

export const EVENTS = ['click', 'install', 'open', 'app_event'] as const;
export const TRAFFICS = ['human', 'all', 'bot', 'scanner', 'prefetch'] as const;
export const INTERVALS = ['1h', '24h', '7d', '30d', '90d', '1y', 'all'] as const;
type Granularity = NonNullable<Variables['granularity']>;

const DEFAULT_INTERVAL = '7d';
const DAY_MS = 86_400_000;

/** A granularity that gives a readable number of buckets. `all` may be years. */
const GRANULARITIES: Record<string, Granularity> = {
  '1h': 'minute',
  '24h': 'hour',
  '7d': 'day',
  '30d': 'day',
  '90d': 'day',
  '1y': 'week',
  all: 'month',
};

export interface Filter {
  dimension: AnalyticsDimension;
  /** As they are written in addresses, see `values.ts`. */
  values: string[];
  isExcluding: boolean;
}

/** Whether the period before is shown too. Before everything there is nothing to compare with. */
export function comparesOf(search: AnalyticsSearch): boolean {
  return search.compare !== 'false' && rangeName(search) !== 'all';
}

export function zoneOf({ timezone: wanted }: AnalyticsSearch): string {
  return wanted && isZone(wanted) ? wanted : timezone();
}

type Interval = (typeof INTERVALS)[number];
type AnalyticsRange = { interval: Interval } | { start: string; end: string | null };

/**
 * The range as the API takes it: an interval, or a start and an end. Without an end it lasts until now, and the server says when that
 * is: a time of ours would be another question with each drawing.
 */
export function rangeOf(search: AnalyticsSearch): AnalyticsRange {
  const [start, end] = [Date.parse(search.start ?? ''), Date.parse(search.end ?? '')];
  if (Number.isNaN(start) || start >= (Number.isNaN(end) ? Date.now() : end))
    return { interval: INTERVALS.find((known) => known === search.interval) ?? DEFAULT_INTERVAL };
  return { start: new Date(start).toISOString(), end: Number.isNaN(end) ? null : new Date(end).toISOString() };
}

export type RangeName = Interval | 'today' | 'month' | 'own';

/** What the range of an address is called. */
export function rangeName(search: AnalyticsSearch): RangeName {
  const range = rangeOf(search);
  if ('interval' in range) return range.interval;
  const isStartOf = ({ start, end }: AnalyticsSearch) =>
    range.end === null && end === undefined && start === range.start;
  if (isStartOf(today(search))) return 'today';
  return isStartOf(thisMonth(search)) ? 'month' : 'own';
}

export function granularityOf(search: AnalyticsSearch): Granularity {
  const chosen = (['minute', 'hour', 'day', 'week', 'month'] as const).find((known) => known === search.granularity);
  if (chosen) return chosen;
  const range = rangeOf(search);
  if ('interval' in range) return GRANULARITIES[range.interval] ?? 'day';
  const end = range.end === null ? Date.now() : Date.parse(range.end);
  const days = (end - Date.parse(range.start)) / DAY_MS;
  if (days <= 0.1) return 'minute';
  if (days <= 3) return 'hour';
  return days <= 120 ? 'day' : days <= 730 ? 'week' : 'month';
}

/** Minutes of a month would be more buckets than anybody can see: the granularities that suit a range of that length. */
export function granularitiesFor(lengthMs: number): Granularity[] {
  return (Object.keys(LENGTH_MS) as Granularity[]).filter(
    (one) => lengthMs / LENGTH_MS[one] <= MOST_BUCKETS && lengthMs >= LENGTH_MS[one],
  );
}

const MOST_BUCKETS = 800;
const LENGTH_MS: Record<Granularity, number> = {
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 30 * DAY_MS,
};

/** The hours before an incident that the address in its alert shows too. */
const SHOWN_BEFORE_MS = 24 * 3_600_000;

/** The span that an alert is about: addresses of alerts begin a day before it and end with it. */
export function markOf(search: AnalyticsSearch): { from: string; to: string } | null {
  const range = rangeOf(search);
  if (search.group_by !== 'time' || search.granularity !== 'hour' || 'interval' in range || range.end === null)
    return null;
  const from = Date.parse(range.start) + SHOWN_BEFORE_MS;
  return from < Date.parse(range.end) ? { from: new Date(from).toISOString(), to: range.end } : null;
}

/** The filters of an address; a leading minus excludes. */
export function filtersOf(search: AnalyticsSearch): Filter[] {
  return ANALYTICS_DIMENSIONS.flatMap((dimension) => {
    const text = search[dimension];
    if (!text) return [];
    const written = writtenValues(text);
    return written.values.length === 0 ? [] : [{ dimension, ...written }];
  });
}

export function filterText({ values, isExcluding }: Pick<Filter, 'values' | 'isExcluding'>): string | undefined {
  return values.length > 0 ? `${isExcluding ? '-' : ''}${values.join(',')}` : undefined;
}

/** The address after one value, as it is written, was clicked: added to those of its dimension, or the only one to be left out. */
export function withValue(
  search: AnalyticsSearch,
  dimension: AnalyticsDimension,
  value: string,
  isExcluding: boolean,
): AnalyticsSearch {
  const current = filtersOf(search).find((filter) => filter.dimension === dimension);
  const earlier = current && current.isExcluding === isExcluding ? current.values : [];
  return { [dimension]: filterText({ values: [...new Set([...earlier, value])], isExcluding }) };
}

/** What every analytics operation of the page takes. */
export function commonVariables(projectId: string, search: AnalyticsSearch, fixed: AnalyticsSearch) {
  const filters = Object.fromEntries(
    ANALYTICS_DIMENSIONS.map((dimension) => [camel(dimension), fixed[dimension] ?? search[dimension] ?? null]),
  );
  return {
    projectId,
    event: EVENTS.find((event) => event === search.event) ?? ('click' as const),
    traffic: search.traffic_class
      ? ('all' as const)
      : (TRAFFICS.find((one) => one === search.traffic) ?? ('human' as const)),
    timezone: zoneOf(search),
    ...rangeOf(search),
    ...filters,
  };
}

/** What an address loses with its range: a finer range has other buckets, and is not that of an alert any more. */
const NEW_RANGE = { interval: undefined, granularity: undefined, group_by: undefined } as const;

export function ownRange(startMs: number, endMs: number): AnalyticsSearch {
  return { ...NEW_RANGE, start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}

export function intervalRange(interval: string): AnalyticsSearch {
  return { ...NEW_RANGE, interval, start: undefined, end: undefined };
}

/** The range as long as this one beside it, for the keys and buttons that move; null in the future. */
export function movedRange(start: string, end: string, by: -1 | 1): AnalyticsSearch | null {
  const length = Date.parse(end) - Date.parse(start);
  const from = Date.parse(start) + by * length;
  return from >= Date.now() ? null : { ...ownRange(from, from + length), granularity: undefined };
}

/** Twice as long around the same middle, and not in the future. */
export function widerRange(start: string, end: string): AnalyticsSearch {
  const [from, to] = [Date.parse(start), Date.parse(end)];
  const until = Math.min(to + (to - from) / 2, Date.now());
  return ownRange(until - 2 * (to - from), until);
}

export function today(search: AnalyticsSearch): AnalyticsSearch {
  const zone = zoneOf(search);
  return {
    ...NEW_RANGE,
    start: new Date(startOfDay(zone, dayIn(zone, Date.now()))).toISOString(),
    end: undefined,
  };
}

export function thisMonth(search: AnalyticsSearch): AnalyticsSearch {
  const zone = zoneOf(search);
  const first = `${dayIn(zone, Date.now()).slice(0, 8)}01`;
  return { ...NEW_RANGE, start: new Date(startOfDay(zone, first)).toISOString(), end: undefined };
}

/** The same without one filter: the values that it could have. */
export function withoutFilter<Common extends object>(variables: Common, dimension: AnalyticsDimension): Common {
  return { ...variables, [camel(dimension)]: null };
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
