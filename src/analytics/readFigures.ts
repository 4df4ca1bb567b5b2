import { DIMENSIONS, type Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import type { AnalyticsQuery } from './AnalyticsQuery.ts';
import { APP_TABLES, daysWithEvents } from './appTables.ts';
import { type BlockRow, readBlockRows, readVersion } from './columns/blockStore.ts';
import type { EventColumns } from './columns/EventColumns.ts';
import { cellDimension, readTagLists, SINGLE_TAG } from './columns/keyStore.ts';
import { readBlocks } from './columns/readBlocks.ts';
import { KeyDictionary } from './KeyDictionary.ts';
import { type DayPlan, planDays, type Sources, type TimeSpan, totalsPlan } from './plan.ts';
import { readAppEvents } from './readAppEvents.ts';
import { addTotals, type DayTotalsRead, readDayTotals } from './readDayTotals.ts';
import { readRawEvents } from './readRawEvents.ts';
import { Selection } from './Selection.ts';
import { type Count, Tally } from './Tally.ts';

export interface Figures {
  total: Count;
  /** By bucket, class or number of a key; only cells with events. */
  cells: [cell: number, count: Count][];
  dictionary: KeyDictionary;
}

/** Blocks change every few seconds at most. A query that meets a change starts over. */
const ATTEMPTS = 10;

/** Answers a query from the totals of days, from blocks, and from rows of events that are in no block. */
export async function readFigures(query: AnalyticsQuery): Promise<Figures> {
  for (let attempt = 1; ; attempt += 1) {
    const figures = await readOnce(query);
    if (figures || attempt === ATTEMPTS)
      return figures ?? Promise.reject(new Error('The blocks of clicks kept changing during a query'));
  }
}

/** Null when blocks changed while they were read. */
async function readOnce(query: AnalyticsQuery): Promise<Figures | null> {
  const { projectId, range } = query;
  const [from, to] = [Math.floor(range.start / QUARTER_MS), Math.ceil(range.end / QUARTER_MS)];
  const { version, ...stock } = await readSources(query, from, to);
  const plan = totalsPlan(query);
  const dictionary = new KeyDictionary(projectId);
  await dictionary.learn(
    query.filters.flatMap(({ dimension, keys }) => keys.map((key) => [cellDimension(dimension), key] as const)),
  );
  const totals = plan ? await readDayTotals(query, plan, dictionary) : null;
  const days = planDays(query, stock, totals?.days ?? new Set(), plan?.isByQuarter ?? false);
  const tagLists = await tagListsFor(query);
  const tally = new Tally();
  const yieldNow = yieldToEventLoop();
  const isCached = fitsCache(query, days);
  for (const day of days) {
    if (day.isCounted) addTotals(query, totals as DayTotalsRead, day, tally);
    else await countDay(query, day, { dictionary, tagLists, tally, isCached, yieldNow });
    await yieldNow();
  }
  if (version !== null && (await readVersion(projectId)) !== version) return null;
  return { total: tally.total, cells: tally.cells(), dictionary };
}

/** Only clicks are in blocks; other events are read from their rows. */
async function readSources(
  query: AnalyticsQuery,
  from: number,
  to: number,
): Promise<Sources & { version: number | null }> {
  if (query.event === 'click') return { ...(await readBlockRows(query.projectId, from, to)), days: [] };
  return { blocks: [], backlog: [], days: await daysWithEvents(query), version: null };
}

interface Counting {
  dictionary: KeyDictionary;
  /** Of the project's blocks: the tags of each list, by the number of the list. */
  tagLists: ReadonlyMap<number, string[]>;
  tally: Tally;
  /** Whether columns of blocks are cached. */
  isCached: boolean;
  yieldNow: () => Promise<void>;
}

/** Empty unless the query groups or filters by tags. */
async function tagListsFor({ projectId, groupBy, filters }: AnalyticsQuery): Promise<Map<number, string[]>> {
  const isAsked = groupBy === 'tag' || filters.some(({ dimension }) => dimension === 'tag');
  return isAsked ? readTagLists(projectId) : new Map();
}

/** Counts a day, or the part of it in the range. */
async function countDay(
  query: AnalyticsQuery,
  day: DayPlan,
  { dictionary, tagLists, tally, isCached, yieldNow }: Counting,
): Promise<void> {
  const raw: EventColumns[] = [];
  for (const span of day.raw) raw.push(...(await readRaw(query, span, dictionary)));
  const selection = new Selection(query, dictionary, await tagCells(tagLists, dictionary));
  tally.beginDay(sizeOf(day.blocks) + raw.reduce((sum, { length }) => sum + length, 0));
  for (const blocks of inBatches(day.blocks)) {
    for (const events of await readBlocks(query.projectId, blocks, dimensionsOf(query), isCached)) {
      selection.count(events, day.fromMs, day.toMs, tally);
      await yieldNow();
    }
  }
  for (const events of raw) {
    selection.count(events, day.fromMs, day.toMs, tally);
    await yieldNow();
  }
}

function readRaw(query: AnalyticsQuery, span: TimeSpan, dictionary: KeyDictionary): Promise<EventColumns[]> {
  const source = APP_TABLES[query.event];
  if (source) return readAppEvents(source, query, span, dictionary);
  return readRawEvents(query, span, dimensionsOf(query), dictionary);
}

/** The dimensions that the query needs. */
function dimensionsOf({ groupBy, filters }: AnalyticsQuery): Dimension[] {
  const names = [groupBy, ...filters.map(({ dimension }) => dimension)];
  return [...new Set(names)].filter((name): name is Dimension => name in DIMENSIONS);
}

/** Approximate memory of a click: time, visitor and class; and its key in a dimension. */
const CLICK_BYTES = 13;
const KEY_BYTES = 2;

/**
 * Whether the columns of a query are worth caching. A query that needs more than half of the cache would evict everything else
 * without finding its own columns the next time.
 */
function fitsCache(query: AnalyticsQuery, days: DayPlan[]): boolean {
  const clicks = days.reduce((sum, { blocks }) => sum + sizeOf(blocks), 0);
  const bytes = clicks * (CLICK_BYTES + dimensionsOf(query).length * KEY_BYTES);
  return bytes <= config.analyticsMemoryBytes / 2;
}

/** Most clicks in the blocks that are read at once. Blocks of the current day may be many and small. */
const BATCH_CLICKS = 300_000;

function inBatches(blocks: BlockRow[]): BlockRow[][] {
  const batches: BlockRow[][] = [];
  for (const block of blocks) {
    const last = batches.at(-1);
    if (last && sizeOf(last) + block.clicks <= BATCH_CLICKS) last.push(block);
    else batches.push([block]);
  }
  return batches;
}

function sizeOf(blocks: BlockRow[]): number {
  return blocks.reduce((sum, { clicks }) => sum + clicks, 0);
}

/** For the number of each list of tags, the numbers of its tags: of lists in blocks, and of those met elsewhere. */
async function tagCells(
  stored: ReadonlyMap<number, string[]>,
  dictionary: KeyDictionary,
): Promise<Map<number, number[]>> {
  const lists = [...stored, ...dictionary.learnedLists()];
  await dictionary.learn([...new Set(lists.flatMap(([, ids]) => ids))].map((id) => [SINGLE_TAG, id] as const));
  return new Map(lists.map(([list, ids]) => [list, ids.map((id) => dictionary.numberOf(SINGLE_TAG, id))]));
}
