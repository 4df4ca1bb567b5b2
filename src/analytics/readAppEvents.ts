import { allDigits, epochMs, jsonList } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { QUARTER_MS } from '../kernel/clock.ts';
import { type AnalyticsDimension, type AnalyticsPass, dimensionsNeeded } from './AnalyticsQuery.ts';
import type { AppTable } from './appTables.ts';
import { BlockDraft } from './columns/BlockDraft.ts';
import type { EventColumns, Money } from './columns/EventColumns.ts';
import { ALL, type ClickRow, MOST_ROWS, readInSlices } from './columns/readClicks.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { TimeSpan } from './plan.ts';
import { eventsFrom } from './readRawEvents.ts';
import { unitsOf } from './Sums.ts';

/** Rows that are tallied without a break. */
const ROWS_AT_ONCE = 5000;

/** App events of a span, in columns like those of blocks. Events that the store counted together are one entry. */
export async function readAppEvents(
  source: AppTable,
  pass: AnalyticsPass,
  span: TimeSpan,
  dictionary: KeyDictionary,
): Promise<EventColumns[]> {
  const dimensions = dimensionsOf(source, pass);
  const batches: EventColumns[] = [];
  let gathered = new AppEventsDraft(span.fromMs, dimensions);
  const finish = async () => {
    if (gathered.length > 0) batches.push(await gathered.columns(dictionary));
    gathered = new AppEventsDraft(span.fromMs, dimensions);
  };
  for await (const rows of readCounted(source, pass, span, dimensions)) {
    gathered.add(rows);
    if (gathered.length >= ROWS_AT_ONCE) await finish();
  }
  await finish();
  return batches;
}

/** The dimensions that the pass needs and the table has. */
function dimensionsOf({ dimensions }: AppTable, pass: AnalyticsPass): AnalyticsDimension[] {
  const names = dimensionsNeeded(pass);
  return (Object.keys(dimensions) as AnalyticsDimension[]).filter((name) => names.has(name));
}

/** Rows on their way into columns. */
class AppEventsDraft {
  readonly #draft: BlockDraft;
  readonly #weights: number[] = [];
  readonly #values: (Money | null)[] = [];

  constructor(baseMs: number, dimensions: readonly AnalyticsDimension[]) {
    this.#draft = new BlockDraft(baseMs, dimensions);
  }

  get length(): number {
    return this.#draft.length;
  }

  add(rows: ClickRow[]): void {
    this.#draft.add(rows);
    for (const row of rows) {
      const [count, value, currency] = figuresOf(row);
      this.#weights.push(count);
      this.#values.push(value === null ? null : { currency, units: unitsOf(Number(value)) * BigInt(count) });
    }
  }

  async columns(dictionary: KeyDictionary): Promise<EventColumns> {
    const events = { ...(await eventsFrom(this.#draft, dictionary)), weights: Float64Array.from(this.#weights) };
    return this.#values.some(Boolean) ? { ...events, values: this.#values } : events;
  }
}

/** Events that the store counts in one slice: enough to have much in common, in some milliseconds. */
const WANTED = 2000;
const MINUTE_MS = 60_000;

/** The events that a row stands for, the value of each, and its currency. */
type Figures = [count: number, value: number | string | null, currency: string | null];

/**
 * App events of a span in the shape of click rows, in the order of time. The store counts them, slice by slice: events of an
 * install with the same keys and value make one row, unless they fall into different buckets.
 */
function readCounted(
  source: AppTable,
  { projectId, groupings }: AnalyticsPass,
  { fromMs, toMs }: TimeSpan,
  dimensions: readonly AnalyticsDimension[],
): AsyncGenerator<ClickRow[]> {
  const starts = groupings.flatMap((grouping) => grouping.starts);
  const stepMs = stepWithin(starts, fromMs, toMs);
  const sql = statementFor(source, dimensions, stepMs);
  const read = async (from: number, to: number): Promise<ClickRow[]> => {
    const limit = to - from > 1 ? MOST_ROWS + 1 : ALL;
    const [row] = await queryRaw<{ listed: string }>(sql, [projectId, sqlTime(from), sqlTime(to), limit]);
    const rows = JSON.parse(row?.listed ?? '[]') as ClickRow[];
    // The step may have begun before the slice.
    for (const counted of rows) counted[1] = Math.max(from, counted[1] * stepMs);
    return rows;
  };
  const sizeOf = (rows: ClickRow[]) => rows.reduce((sum, row) => sum + figuresOf(row)[0], 0);
  return readInSlices(fromMs, toMs, read, { wanted: WANTED, sizeOf });
}

/** The values after the keys of such a row. */
function figuresOf(row: ClickRow): Figures {
  return row.slice(-3) as unknown as Figures;
}

/** The largest step in milliseconds, counted since the epoch, within which no bucket begins; 0 if none begins within the span. */
function stepWithin(starts: readonly number[], fromMs: number, toMs: number): number {
  const within = starts.filter((start) => start > fromMs && start < toMs);
  if (within.length === 0) return 0;
  return [QUARTER_MS, MINUTE_MS].find((step) => within.every((start) => start % step === 0)) ?? 1;
}

/** The innermost rows are limited and in the order of the index, so that every query planner uses the index. */
function statementFor(
  { table, only, dimensions, value, currency }: AppTable,
  names: readonly AnalyticsDimension[],
  stepMs: number,
): string {
  const keys = names.map((_, at) => `key_${at}`);
  const by = ['step', 'install_id', ...keys, 'value', 'currency'].join(', ');
  const read = [
    `${stepMs === 0 ? '0' : `(${epochMs('occurred_at')}) / ${stepMs}`} AS step`,
    'install_id',
    ...names.map((name, at) => `${dimensions[name]} AS key_${at}`),
    `${value} AS value`,
    `${currency} AS currency`,
  ].join(', ');
  const listed = ["''", 'step', 'install_id', "'human'", ...keys, 'count', allDigits('value'), 'currency'].join(', ');
  return `SELECT ${jsonList(listed)} AS listed FROM (
      SELECT ${by}, COUNT(*) AS count FROM (
        SELECT ${read} FROM ${table}
        WHERE project_id = $1 AND ${only} AND occurred_at >= $2 AND occurred_at < $3
        ORDER BY occurred_at, id LIMIT $4
      ) AS slice GROUP BY ${by} ORDER BY step
    ) AS counted`;
}
