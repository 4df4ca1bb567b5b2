import type { BacklogRow } from '../clicks/backlogStore.ts';
import { DIMENSIONS } from '../clicks/dimensions.ts';
import { DAY_MS, QUARTER_MS, QUARTERS_A_DAY } from '../kernel/clock.ts';
import { type AnalyticsQuery, APP_DIMENSIONS, type Filter, UNKNOWN_KEY } from './AnalyticsQuery.ts';
import type { BlockRow } from './columns/blockStore.ts';
import { BY_QUARTER, type CountedClass } from './columns/dayTotals.ts';
import { cellDimension } from './columns/keyStore.ts';
import { bucketAt } from './Selection.ts';

/** From `fromMs` up to but without `toMs`. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** How a UTC day, or the part of it in the range, is read. No event has two sources. */
export interface DayPlan extends TimeSpan {
  /** Since the epoch. */
  day: number;
  /** Stored totals answer for the day: nothing else is read. */
  isCounted: boolean;
  blocks: BlockRow[];
  /** Where events have to be read row by row. */
  raw: TimeSpan[];
}

/** The contents of a range in the order of time: of clicks the blocks and the backlog, of other events the UTC days that have any. */
export interface Sources {
  blocks: readonly BlockRow[];
  backlog: readonly Pick<BacklogRow, 'quarter'>[];
  days: readonly number[];
}

/**
 * Plans the days of a range that have events. `counted`: days with stored totals that answer the query, by quarters of an hour if
 * `isByQuarter`. A block with a quarter in the backlog is out of date, so its clicks are read row by row, as all other events
 * are.
 */
export function planDays(
  query: AnalyticsQuery,
  { blocks, backlog, days: others }: Sources,
  counted: ReadonlySet<number>,
  isByQuarter: boolean,
): DayPlan[] {
  const { range, event } = query;
  const blocksByDay = Map.groupBy(blocks, ({ from }) => Math.floor(from / QUARTERS_A_DAY));
  const backlogByDay = Map.groupBy(backlog, ({ quarter }) => Math.floor(quarter / QUARTERS_A_DAY));
  const days = [...new Set([...blocksByDay.keys(), ...backlogByDay.keys(), ...others])].sort((a, b) => a - b);
  return days.flatMap((day): DayPlan[] => {
    const span = { fromMs: Math.max(range.start, day * DAY_MS), toMs: Math.min(range.end, (day + 1) * DAY_MS) };
    if (span.fromMs >= span.toMs) return [];
    const waiting = backlogByDay.get(day) ?? [];
    const isAnswered = isWhole(span, query) || (isByQuarter && isOfQuarters(span, query));
    if (waiting.length === 0 && counted.has(day) && isAnswered)
      return [{ day, ...span, isCounted: true, blocks: [], raw: [] }];
    if (event !== 'click') return [{ day, ...span, isCounted: false, blocks: [], raw: [span] }];
    return [{ day, ...span, isCounted: false, ...daySources(span, blocksByDay.get(day) ?? [], waiting) }];
  });
}

/** Whether the span is a whole UTC day within one bucket. */
function isWhole({ fromMs, toMs }: TimeSpan, { starts }: AnalyticsQuery): boolean {
  if (toMs - fromMs !== DAY_MS) return false;
  return starts.length === 0 || bucketAt(starts, fromMs) === bucketAt(starts, toMs - 1);
}

/** Whether the span and the buckets in it begin and end with a quarter of an hour. */
function isOfQuarters({ fromMs, toMs }: TimeSpan, { starts }: AnalyticsQuery): boolean {
  if (fromMs % QUARTER_MS !== 0 || toMs % QUARTER_MS !== 0) return false;
  if (starts.length === 0) return true;
  for (let bucket = bucketAt(starts, fromMs) + 1; (starts[bucket] ?? toMs) < toMs; bucket += 1)
    if ((starts[bucket] as number) % QUARTER_MS !== 0) return false;
  return true;
}

function daySources(
  span: TimeSpan,
  blocks: BlockRow[],
  backlog: readonly Pick<BacklogRow, 'quarter'>[],
): Pick<DayPlan, 'blocks' | 'raw'> {
  const overlapping = blocks.filter(({ from, to }) => from * QUARTER_MS < span.toMs && to * QUARTER_MS > span.fromMs);
  const isOutdated = ({ from, to }: BlockRow) => backlog.some(({ quarter }) => quarter >= from && quarter < to);
  const quarters = new Set(backlog.map(({ quarter }) => quarter));
  for (const { from, to } of overlapping.filter(isOutdated))
    for (let quarter = from; quarter < to; quarter += 1) quarters.add(quarter);
  const sound = overlapping.filter((block) => !isOutdated(block));
  return {
    blocks: sound,
    raw: joined(
      [...quarters].sort((a, b) => a - b),
      sound,
    )
      .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, span.fromMs), toMs: Math.min(toMs, span.toMs) }))
      .filter(({ fromMs, toMs }) => fromMs < toMs),
  };
}

/** Joins quarters into spans, across gaps too: a gap has no clicks, unless a block lies in it. */
function joined(quarters: number[], blocks: readonly BlockRow[]): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const quarter of quarters) {
    const last = spans.at(-1);
    const fromMs = quarter * QUARTER_MS;
    const isApart = blocks.some(({ from }) => from * QUARTER_MS >= (last?.toMs ?? 0) && from < quarter);
    if (last && !isApart) last.toMs = fromMs + QUARTER_MS;
    else spans.push({ fromMs, toMs: fromMs + QUARTER_MS });
  }
  return spans;
}

/** The stored totals of days that answer a query. */
export interface TotalsPlan {
  trafficClass: CountedClass;
  /** Where the total is: under `key`, or without a key under number 0. */
  total: { dimension: string; key: string | null };
  /** Where the rows are; null when the total suffices, also for buckets. `classes`: the total of each class. */
  group: { dimension: string; key: string | null } | 'classes' | null;
  /** The total is stored by quarters of an hour, which answers parts of a day too. */
  isByQuarter: boolean;
}

const EVERYTHING = { dimension: 'none', key: null };

/**
 * The totals that answer a query; null where only the clicks can. A visitor with two keys of a filter, or in two of the wanted
 * classes, is in two totals and would be counted twice.
 */
export function totalsPlan({ event, groupBy, trafficClass, filters }: AnalyticsQuery): TotalsPlan | null {
  if (event !== 'click') return null;
  const counted = (trafficClass ?? 'all') as CountedClass;
  const isDivided = groupBy !== 'none' && groupBy !== 'time';
  const [filter, another] = filters;
  const plan = { trafficClass: counted, total: EVERYTHING, group: null, isByQuarter: false };
  if (groupBy === 'link_series') return { ...plan, group: { dimension: 'link', key: null } };
  if (!filter) {
    if (!isDivided) return { ...plan, total: { dimension: BY_QUARTER, key: null }, isByQuarter: true };
    if (groupBy === 'traffic_class') return trafficClass === null ? { ...plan, group: 'classes' } : null;
    return { ...plan, group: { dimension: totalsDimension(groupBy), key: null } };
  }
  const key = singleKey(filter);
  if (another || key === null || (isDivided && groupBy !== filter.dimension)) return null;
  // A click with the wanted tag may have others, which group_by=tag shows too.
  if (isDivided && groupBy === 'tag') return null;
  const cell = { dimension: totalsDimension(filter.dimension), key };
  return { ...plan, total: cell, group: isDivided ? cell : null };
}

function singleKey({ dimension, keys, isExcluding }: Filter): string | null {
  if (isExcluding || !(dimension in DIMENSIONS)) return null;
  const [key, ...others] = keys;
  return key === undefined || key === UNKNOWN_KEY || others.length > 0 ? null : key;
}

/** Where the totals of a dimension are. In dimensions that clicks lack, all are unknown: that is everything. */
function totalsDimension(dimension: string): string {
  if (APP_DIMENSIONS.some((name) => name === dimension)) return 'none';
  return cellDimension(dimension);
}
