import { queryRaw } from '../db/query.ts';
import { DAY_MS, QUARTER_MS } from '../kernel/clock.ts';
import type { AnalyticsQuery } from './AnalyticsQuery.ts';
import { countQuarterRange, type DayTotals, decodeTotals } from './columns/dayTotals.ts';
import { TRAFFIC_CLASSES } from './columns/EventColumns.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { DayPlan, TotalsPlan } from './plan.ts';
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
  /** The number of the filter's key: 0 in `total` without a filter, null in `groups` for all keys. */
  totalNumber: number;
  groupNumber: number | null;
}

/** Null when the range has no day that totals could answer for. */
export async function readDayTotals(
  { projectId, range }: AnalyticsQuery,
  plan: TotalsPlan,
  dictionary: KeyDictionary,
): Promise<DayTotalsRead | null> {
  const { from, to } = daysWithin(range, plan);
  if (from >= to) return null;
  const read = async (dimension: string, name: string): Promise<ByDay> => {
    const rows = await queryRaw<{ day: number; content: Buffer }>(
      `SELECT day, content FROM click_totals
       WHERE project_id = $1 AND dimension = $2 AND traffic_class = $3 AND day >= $4 AND day < $5`,
      [projectId, dimension, name, from, to],
    );
    return new Map(rows.map(({ day, content }) => [day, content]));
  };
  const { trafficClass, total, group } = plan;
  const cell = group === 'classes' ? null : group;
  const [days, ofTotal, ...groups] = await Promise.all([
    readCountedDays(projectId, from, to),
    read(total.dimension, trafficClass),
    ...(group === 'classes' ? TRAFFIC_CLASSES.map((name) => read('none', name)) : []),
    ...(cell ? [read(cell.dimension, trafficClass)] : []),
  ]);
  return {
    plan,
    days,
    total: ofTotal,
    groups,
    totalNumber: total.key === null ? 0 : dictionary.numberOf(total.dimension, total.key),
    groupNumber: cell?.key ? dictionary.numberOf(cell.dimension, cell.key) : null,
  };
}

/** Whole UTC days, and days that the range cuts at a quarter of an hour if totals are by quarters. */
function daysWithin(
  { start, end }: AnalyticsQuery['range'],
  { isByQuarter }: TotalsPlan,
): { from: number; to: number } {
  const isAtQuarter = (cutMs: number) => isByQuarter && cutMs % QUARTER_MS === 0;
  const from = isAtQuarter(start) ? Math.floor(start / DAY_MS) : Math.ceil(start / DAY_MS);
  const to = isAtQuarter(end) ? Math.ceil(end / DAY_MS) : Math.floor(end / DAY_MS);
  return { from, to };
}

/** Including days without a click of the class of the query. */
async function readCountedDays(projectId: string, from: number, to: number): Promise<Set<number>> {
  const rows = await queryRaw<{ day: number }>(
    `SELECT day FROM click_totals
     WHERE project_id = $1 AND dimension = 'none' AND traffic_class = 'all' AND day >= $2 AND day < $3`,
    [projectId, from, to],
  );
  return new Set(rows.map(({ day }) => day));
}

/** Adds the totals of a day. A filter by a key without a number finds nothing. */
export function addTotals(query: AnalyticsQuery, read: DayTotalsRead, day: DayPlan, tally: Tally): void {
  const content = read.total.get(day.day);
  if (content === undefined || (query.filters.length > 0 && read.totalNumber === 0)) return;
  if (read.plan.isByQuarter) {
    addQuarters(query, decodeTotals(content), day, tally);
    return;
  }
  const total = figuresAt(content, read.totalNumber);
  tally.addTotals(total.clicks, total.visitors);
  if (total.clicks === 0) return;
  if (query.groupBy === 'time') {
    tally.addCounted(bucketAt(query.starts, day.fromMs), total.clicks, total.visitors);
  } else if (read.plan.group === 'classes') {
    for (const [code, ofClass] of read.groups.entries()) {
      const { clicks, visitors } = figuresAt(ofClass.get(day.day), 0);
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

/** The figures of a number; numbers are ascending. */
function figuresAt(content: Buffer | undefined, number: number): { clicks: number; visitors: number } {
  if (content === undefined) return { clicks: 0, visitors: 0 };
  const { numbers, clicks, visitors } = decodeTotals(content);
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) < number) low = middle + 1;
    else high = middle;
  }
  if (numbers[low] !== number) return { clicks: 0, visitors: 0 };
  return { clicks: clicks[low] as number, visitors: visitors[low] as number };
}
