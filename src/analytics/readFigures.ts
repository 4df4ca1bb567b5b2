import { hasClickHouse } from '../clicks/clickhouse/connection.ts';
import { QUARTER_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import { type AnalyticsPass, type Grouping, UNKNOWN_KEY } from './AnalyticsQuery.ts';
import { daysWithEvents } from './appTables.ts';
import { boundBacklog } from './boundBacklog.ts';
import { readClickFigures } from './clickhouse/readClickFigures.ts';
import { readBlockRows, readVersion } from './columns/blockStore.ts';
import { cellDimension, readTagLists } from './columns/keyStore.ts';
import { type Counter, countDay, fitsCache } from './countDay.ts';
import { KeyDictionary } from './KeyDictionary.ts';
import { type DayPlan, planDays, type Sources, totalsPlan } from './plan.ts';
import { addTotals, type DayTotalsRead, readDayTotals, TotalsReader } from './readDayTotals.ts';
import { type Count, Tally } from './Tally.ts';

export interface Figures {
  total: Count;
  /** By bucket, class or number of a key; only cells with events. */
  cells: [cell: number, count: Count][];
  dictionary: Pick<KeyDictionary, 'keysOf'>;
  /** From here on clicks are missing, in milliseconds; null: none is. */
  asOfMs: number | null;
}

/** Blocks change every few seconds at most. A query that meets a change starts over. */
const ATTEMPTS = 10;

/**
 * Figures for each grouping of a pass, in their order: counted by ClickHouse where it has the clicks, otherwise from the totals of
 * days, from blocks, and from rows of events that are in no block. What the totals of a day do not answer is read once for all
 * groupings. Of clicks that are in no block, it reads ANALYTICS_BACKLOG_CLICKS at most.
 */
export async function readFigures(pass: AnalyticsPass): Promise<Figures[]> {
  if (pass.event === 'click' && hasClickHouse()) return readClickFigures(pass);
  for (let attempt = 1; ; attempt += 1) {
    const figures = await readOnce(pass);
    if (figures || attempt === ATTEMPTS)
      return figures ?? Promise.reject(new Error('The blocks of clicks kept changing during a query'));
  }
}

/** Null when blocks changed while they were read. */
async function readOnce(pass: AnalyticsPass): Promise<Figures[] | null> {
  const { projectId, range, filters } = pass;
  const [from, to] = [Math.floor(range.start / QUARTER_MS), Math.ceil(range.end / QUARTER_MS)];
  const { version, asOfMs, ...stock } = await readSources(pass, from, to);
  const dictionary = new KeyDictionary(projectId);
  await dictionary.learn(
    filters.flatMap(({ dimension, keys }) =>
      keys.flatMap((key) => (key === UNKNOWN_KEY ? [] : [[cellDimension(dimension), key] as const])),
    ),
  );
  const store = new TotalsReader(projectId);
  const planned = await Promise.all(
    pass.groupings.map((grouping) => planGrouping(pass, grouping, stock, dictionary, store)),
  );
  await countDays(pass, planned, dictionary);
  if (version !== null && (await readVersion(projectId)) !== version) return null;
  return planned.map(({ tally }) => ({ total: tally.total, cells: tally.cells(), dictionary, asOfMs }));
}

/** Only clicks are in blocks; other events are read from their rows. */
async function readSources(
  pass: AnalyticsPass,
  from: number,
  to: number,
): Promise<Sources & { version: number | null; asOfMs: number | null }> {
  if (pass.event !== 'click')
    return { blocks: [], backlog: [], days: await daysWithEvents(pass), version: null, asOfMs: null };
  const { version, ...stock } = await readBlockRows(pass.projectId, from, to);
  const { blocks, backlog, asOfQuarter } = boundBacklog(stock, config.analyticsBacklogClicks);
  const asOfMs = asOfQuarter === null ? null : Math.max(pass.range.start, asOfQuarter * QUARTER_MS);
  return { blocks, backlog, days: [], version, asOfMs };
}

/** A grouping with its totals. All groupings of a pass have the same days, each with its own way to read them. */
interface PlannedGrouping extends Counter {
  totals: DayTotalsRead | null;
  days: DayPlan[];
}

async function planGrouping(
  pass: AnalyticsPass,
  grouping: Grouping,
  stock: Sources,
  dictionary: KeyDictionary,
  store: TotalsReader,
): Promise<PlannedGrouping> {
  const query = { ...pass, ...grouping };
  const plan = totalsPlan(query);
  const totals = plan ? await readDayTotals(query, plan, dictionary, store) : null;
  const days = planDays(query, stock, totals?.days ?? new Set(), plan?.isByQuarter ?? false);
  return { grouping, tally: new Tally(), totals, days };
}

/** Counts day by day: by stored totals where these answer a grouping, and by one scan of the day for all other groupings. */
async function countDays(
  pass: AnalyticsPass,
  planned: readonly PlannedGrouping[],
  dictionary: KeyDictionary,
): Promise<void> {
  const tagLists = asksForTags(pass) ? await readTagLists(pass.projectId) : new Map<number, string[]>();
  const yieldNow = yieldToEventLoop();
  const isCached = fitsCache(
    pass,
    planned.map(({ days }) => days),
  );
  for (const at of planned[0]?.days.keys() ?? []) {
    const scanned: PlannedGrouping[] = [];
    for (const one of planned) {
      const day = one.days[at] as DayPlan;
      if (day.isCounted) addTotals({ ...pass, ...one.grouping }, one.totals as DayTotalsRead, day, one.tally);
      else scanned.push(one);
    }
    const day = scanned[0]?.days[at];
    if (day) await countDay(pass, day, scanned, { dictionary, tagLists, isCached, yieldNow });
    await yieldNow();
  }
}

function asksForTags({ groupings, filters }: AnalyticsPass): boolean {
  return groupings.some(({ groupBy }) => groupBy === 'tag') || filters.some(({ dimension }) => dimension === 'tag');
}
