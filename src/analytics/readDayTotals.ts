import { queryRaw } from '../db/query.ts';
import { DAY_MS, QUARTER_MS } from '../kernel/clock.ts';
import type { AnalyticsQuery } from './AnalyticsQuery.ts';
import { countQuarterRange, type DayTotals, decodeTotals } from './columns/dayTotals.ts';
import { TRAFFIC_CLASSES } from './columns/EventColumns.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { DayPlan, TotalsPlan } from './plan.ts';
import type { Range } from './readRange.ts';
import { bucketAt } from './Selection.ts';
import type { Tally } from './Tally.ts';

/** Stored totals by day since the epoch. */
type ByDay = Map<number, Buffer>;

/** The stored totals of the days in the range of a query. */
export interface DayTotalsRead {
  plan: TotalsPlan;
  /** Days that have totals. */
  days: Set<number>;
  total: ByDay;
  /** Empty where the total suffices; one for each class where the query groups by class. */
  groups: ByDay[];
  /** The numbers of the links of a series. */
  linkNumbers: number[];
  /** The number of the filter's key: 0 in `total` without a filter, null in `groups` for all keys. */
  totalNumber: number;
  groupNumber: number | null;
}

/** Null when the range has no day that totals could answer for. */
export async function readDayTotals(
  { range, links = [] }: AnalyticsQuery,
  plan: TotalsPlan,
  dictionary: KeyDictionary,
  store: TotalsReader,
): Promise<DayTotalsRead | null> {
  const { from, to } = daysWithin(range, plan);
  if (from >= to) return null;
  const read = (dimension: string, name: string) => store.totals(dimension, name, from, to);
  const { trafficClass, total, group } = plan;
  const cell = group === 'classes' ? null : group;
  const [days, ofTotal, ...groups] = await Promise.all([
    store.countedDays(from, to),
    read(total.dimension, trafficClass),
    ...(group === 'classes' ? TRAFFIC_CLASSES.map((name) => read('none', name)) : []),
    ...(cell ? [read(cell.dimension, trafficClass)] : []),
  ]);
  return {
    plan,
    days,
    total: ofTotal,
    groups,
    linkNumbers: links.map((id) => dictionary.numberOf('link', id)),
    totalNumber: total.key === null ? 0 : dictionary.numberOf(total.dimension, total.key),
    groupNumber: cell?.key ? dictionary.numberOf(cell.dimension, cell.key) : null,
  };
}

/** Reads the stored totals of a project, the same ones only once: groupings mostly share their total. */
export class TotalsReader {
  readonly #read = new Map<string, Promise<ByDay>>();

  constructor(private readonly projectId: string) {}

  /** Totals of the days from `from` up to but without `to`. */
  totals(dimension: string, trafficClass: string, from: number, to: number): Promise<ByDay> {
    const name = [dimension, trafficClass, from, to].join(' ');
    const known = this.#read.get(name);
    if (known) return known;
    const reading = this.#readTotals([this.projectId, dimension, trafficClass, from, to]);
    this.#read.set(name, reading);
    return reading;
  }

  /** Days that have totals, including days without a click of the class of the query. */
  async countedDays(from: number, to: number): Promise<Set<number>> {
    return new Set((await this.totals('none', 'all', from, to)).keys());
  }

  async #readTotals(key: readonly unknown[]): Promise<ByDay> {
    const rows = await queryRaw<{ day: number; content: Buffer }>(
      `SELECT day, content FROM click_totals
       WHERE project_id = $1 AND dimension = $2 AND traffic_class = $3 AND day >= $4 AND day < $5`,
      key,
    );
    return new Map(rows.map(({ day, content }) => [day, content]));
  }
}

/** Whole UTC days, and days that the range cuts at a quarter of an hour if totals are by quarters. */
function daysWithin({ start, end }: Range, { isByQuarter }: TotalsPlan): { from: number; to: number } {
  const isAtQuarter = (cutMs: number) => isByQuarter && cutMs % QUARTER_MS === 0;
  const from = isAtQuarter(start) ? Math.floor(start / DAY_MS) : Math.ceil(start / DAY_MS);
  const to = isAtQuarter(end) ? Math.ceil(end / DAY_MS) : Math.floor(end / DAY_MS);
  return { from, to };
}

/** Adds the totals of a day. A filter by a key without a number finds nothing. */
export function addTotals(query: AnalyticsQuery, read: DayTotalsRead, day: DayPlan, tally: Tally): void {
  if (query.groupBy === 'link_series') {
    addSeries(query, read, day, tally);
    return;
  }
  const content = read.total.get(day.day);
  if (content === undefined || (query.filters.length > 0 && read.totalNumber === 0)) return;
  if (read.plan.isByQuarter) {
    addQuarters(query, decodeTotals(content), day, tally);
    return;
  }
  const total = figuresOf(content, read.totalNumber);
  tally.addTotals(total.clicks, total.visitors);
  if (total.clicks === 0) return;
  if (query.groupBy === 'time') {
    tally.addCounted(bucketAt(query.starts, day.fromMs), total.clicks, total.visitors);
  } else if (read.plan.group === 'classes') {
    for (const [code, ofClass] of read.groups.entries()) {
      const { clicks, visitors } = figuresOf(ofClass.get(day.day), 0);
      if (clicks > 0) tally.addCounted(code, clicks, visitors);
    }
  } else if (read.groupNumber !== null) {
    tally.addCounted(read.groupNumber, total.clicks, total.visitors);
  } else {
    for (const group of read.groups) addAll(group.get(day.day), tally);
  }
}

/** Adds the figures of a part of the day, and of each bucket in it. */
function addQuarters({ groupBy, starts }: AnalyticsQuery, totals: DayTotals, day: DayPlan, tally: Tally): void {
  const quarter = (ms: number) => (ms - day.day * DAY_MS) / QUARTER_MS;
  const whole = countQuarterRange(totals, quarter(day.fromMs), quarter(day.toMs));
  tally.addTotals(whole.clicks, whole.visitors);
  if (groupBy !== 'time') return;
  for (let at = day.fromMs, bucket = bucketAt(starts, at); at < day.toMs; bucket += 1) {
    const end = Math.min(starts[bucket + 1] ?? day.toMs, day.toMs);
    const { clicks, visitors } = countQuarterRange(totals, quarter(at), quarter(end));
    if (clicks > 0) tally.addCounted(bucket, clicks, visitors);
    at = end;
  }
}

function addAll(content: Buffer | undefined, tally: Tally): void {
  if (content === undefined) return;
  const { numbers, clicks, visitors } = decodeTotals(content);
  for (let at = 0; at < numbers.length; at += 1) {
    tally.addCounted(numbers[at] as number, clicks[at] as number, visitors[at] as number);
  }
}

/** Adds the day to the bucket of each link. */
function addSeries({ starts }: AnalyticsQuery, read: DayTotalsRead, day: DayPlan, tally: Tally): void {
  const content = read.groups[0]?.get(day.day);
  if (content === undefined) return;
  const totals = decodeTotals(content);
  const bucket = bucketAt(starts, day.fromMs);
  for (const [at, number] of read.linkNumbers.entries()) {
    const { clicks, visitors } = figuresIn(totals, number);
    tally.addTotals(clicks, visitors);
    tally.addCounted(at * starts.length + bucket, clicks, visitors);
  }
}

function figuresOf(content: Buffer | undefined, number: number): { clicks: number; visitors: number } {
  return content === undefined ? { clicks: 0, visitors: 0 } : figuresIn(decodeTotals(content), number);
}

/** The figures of a number; numbers are ascending. */
function figuresIn({ numbers, clicks, visitors }: DayTotals, number: number): { clicks: number; visitors: number } {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  if (numbers[low] !== number) return { clicks: 0, visitors: 0 };
  return { clicks: clicks[low] as number, visitors: visitors[low] as number };
}
