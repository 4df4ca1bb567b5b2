import { QUARTER_MS, QUARTERS_A_DAY } from '../clicks/periods.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { BacklogRow, BlockRow } from '../rollups/blockRows.ts';
import type { Question } from './Question.ts';
import { bucketAt } from './Selection.ts';

/** From `fromMs` up to but without `toMs`. */
export interface TimeSpan {
  fromMs: number;
  toMs: number;
}

/** How a UTC day, or the piece of it that is asked for, is read. No click is in two places. */
export interface DayPlan extends TimeSpan {
  /** Since the epoch. */
  day: number;
  /** The day was counted ahead: nothing else is to be read. */
  isCounted: boolean;
  blocks: BlockRow[];
  /** Where single events have to be read. */
  raw: TimeSpan[];
}

/** What there is in a range: of clicks blocks and the backlog, of other events UTC days, in their order. */
export interface Stock {
  blocks: readonly BlockRow[];
  backlog: readonly BacklogRow[];
  days: readonly number[];
}

/**
 * The days with events in a range. `counted`: days whose totals answer the question, by quarters of an hour if so. Clicks of
 * a block that has a quarter in the backlog are read one by one, for the block is out of date; other events always are.
 */
export function planDays(
  question: Question,
  { blocks, backlog, days: others }: Stock,
  counted: ReadonlySet<number>,
  isByQuarter: boolean,
): DayPlan[] {
  const { range, event } = question;
  const blocksByDay = Map.groupBy(blocks, ({ from }) => Math.floor(from / QUARTERS_A_DAY));
  const backlogByDay = Map.groupBy(backlog, ({ quarter }) => Math.floor(quarter / QUARTERS_A_DAY));
  const days = [...new Set([...blocksByDay.keys(), ...backlogByDay.keys(), ...others])].sort((a, b) => a - b);
  return days.flatMap((day): DayPlan[] => {
    const span = { fromMs: Math.max(range.start, day * DAY_MS), toMs: Math.min(range.end, (day + 1) * DAY_MS) };
    if (span.fromMs >= span.toMs) return [];
    const waiting = backlogByDay.get(day) ?? [];
    const isAnswered = isWhole(span, question) || (isByQuarter && isOfQuarters(span, question));
    if (waiting.length === 0 && counted.has(day) && isAnswered)
      return [{ day, ...span, isCounted: true, blocks: [], raw: [] }];
    if (event !== 'click') return [{ day, ...span, isCounted: false, blocks: [], raw: [span] }];
    return [{ day, ...span, isCounted: false, ...sourcesOf(span, blocksByDay.get(day) ?? [], waiting) }];
  });
}

/** A whole UTC day, of which all belongs to one bucket. */
function isWhole({ fromMs, toMs }: TimeSpan, { starts }: Question): boolean {
  if (toMs - fromMs !== DAY_MS) return false;
  return starts.length === 0 || bucketAt(starts, fromMs) === bucketAt(starts, toMs - 1);
}

/** A stretch of a UTC day that begins and ends with a quarter of an hour, and so do the buckets in it. */
function isOfQuarters({ fromMs, toMs }: TimeSpan, { starts }: Question): boolean {
  if (fromMs % QUARTER_MS !== 0 || toMs % QUARTER_MS !== 0) return false;
  if (starts.length === 0) return true;
  for (let bucket = bucketAt(starts, fromMs) + 1; (starts[bucket] ?? toMs) < toMs; bucket += 1)
    if ((starts[bucket] as number) % QUARTER_MS !== 0) return false;
  return true;
}

function sourcesOf(span: TimeSpan, blocks: BlockRow[], backlog: BacklogRow[]): Pick<DayPlan, 'blocks' | 'raw'> {
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

/** Quarters as one span, also with others between them: what is in no block there is nothing, unless a block is there. */
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
