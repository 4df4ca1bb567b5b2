import { QUARTER_MS } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { type DayTotals, decodeTotals } from '../rollups/DayTotals.ts';
import { TRAFFIC_CLASSES } from '../rollups/Part.ts';
import { countStretch } from '../rollups/quarterTotals.ts';
import type { Numbering } from './Numbering.ts';
import type { DayPlan } from './planDays.ts';
import type { Question } from './Question.ts';
import { bucketAt } from './Selection.ts';
import type { Tally } from './Tally.ts';
import type { TotalsPlan } from './totalsPlan.ts';

/** What is stored of each day, since the epoch. */
type ByDay = Map<number, Buffer>;

/** What was counted ahead of the days in the range of a question. */
export interface DayTotalsRead {
  plan: TotalsPlan;
  /** Days that were counted. */
  days: Set<number>;
  total: ByDay;
  /** Empty where the total is all there is; by class where the classes are asked about. */
  groups: ByDay[];
  /** The number that is meant; null: of `total` the one that stands for everything, of `group` all. */
  totalNumber: number;
  groupNumber: number | null;
}

/** Null: the range has no day that totals could answer for. */
export async function readDayTotals(
  { projectId, range }: Question,
  plan: TotalsPlan,
  numbering: Numbering,
): Promise<DayTotalsRead | null> {
  const { from, to } = daysWithin(range, plan);
  if (from >= to) return null;
  const read = async (dimension: string, name: string): Promise<ByDay> => {
    const rows = await selectBound<{ day: number; content: Buffer }>(
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
    totalNumber: total.key === null ? 0 : numbering.numberOf(total.dimension, total.key),
    groupNumber: cell?.key ? numbering.numberOf(cell.dimension, cell.key) : null,
  };
}

/** Whole UTC days, and those that are cut where a quarter of an hour ends if that is how they were counted. */
function daysWithin({ start, end }: Question['range'], { isByQuarter }: TotalsPlan): { from: number; to: number } {
  const isCounted = (cutMs: number) => isByQuarter && cutMs % QUARTER_MS === 0;
  const from = isCounted(start) ? Math.floor(start / DAY_MS) : Math.ceil(start / DAY_MS);
  const to = isCounted(end) ? Math.ceil(end / DAY_MS) : Math.floor(end / DAY_MS);
  return { from, to };
}

/** Also those without a click of the class that is asked for. */
async function readCountedDays(projectId: string, from: number, to: number): Promise<Set<number>> {
  const rows = await selectBound<{ day: number }>(
    `SELECT day FROM click_totals
     WHERE project_id = $1 AND dimension = 'none' AND traffic_class = 'all' AND day >= $2 AND day < $3`,
    [projectId, from, to],
  );
  return new Set(rows.map(({ day }) => day));
}

/** Adds the figures of a day that was counted ahead. A filter by a key that has no number finds nothing. */
export function addTotals(question: Question, read: DayTotalsRead, day: DayPlan, tally: Tally): void {
  const content = read.total.get(day.day);
  if (content === undefined || (question.filters.length > 0 && read.totalNumber === 0)) return;
  if (read.plan.isByQuarter) {
    addQuarters(question, decodeTotals(content), day, tally);
    return;
  }
  const total = figuresAt(content, read.totalNumber);
  tally.addTotals(total.clicks, total.visitors);
  if (total.clicks === 0) return;
  if (question.groupBy === 'time') {
    tally.addCounted(bucketAt(question.starts, day.fromMs), total.clicks, total.visitors);
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

/** A stretch of the day, and each bucket's piece of it. */
function addQuarters({ groupBy, starts }: Question, totals: DayTotals, day: DayPlan, tally: Tally): void {
  const quarter = (ms: number) => (ms - day.day * DAY_MS) / QUARTER_MS;
  const whole = countStretch(totals, quarter(day.fromMs), quarter(day.toMs));
  tally.addTotals(whole.clicks, whole.visitors);
  if (groupBy !== 'time') return;
  for (let at = day.fromMs, bucket = bucketAt(starts, at); at < day.toMs; bucket += 1) {
    const end = Math.min(starts[bucket + 1] ?? day.toMs, day.toMs);
    const { clicks, visitors } = countStretch(totals, quarter(at), quarter(end));
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

/** Numbers are in ascending order. */
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
