import { DIMENSIONS, type Dimension } from '../clicks/dimensions.ts';
import { config } from '../kernel/config.ts';
import { type AnalyticsPass, dimensionsNeeded, type Grouping } from './AnalyticsQuery.ts';
import { APP_TABLES } from './appTables.ts';
import type { BlockRow } from './columns/blockStore.ts';
import type { EventColumns } from './columns/EventColumns.ts';
import { SINGLE_TAG } from './columns/keyStore.ts';
import { readBlocks } from './columns/readBlocks.ts';
import { VisitorNumbers } from './columns/visitorSets.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { DayPlan, TimeSpan } from './plan.ts';
import { readAppEvents } from './readAppEvents.ts';
import { readRawEvents } from './readRawEvents.ts';
import { ofClass, Selection } from './Selection.ts';
import type { EventVisitors, Tally } from './Tally.ts';

/** A grouping and the figures that it has so far. */
export interface Counter {
  grouping: Grouping;
  tally: Tally;
}

interface Counting {
  dictionary: KeyDictionary;
  /** Of the project's blocks: the tags of each list, by the number of the list. */
  tagLists: ReadonlyMap<number, string[]>;
  /** Whether columns of blocks are cached. */
  isCached: boolean;
  yieldNow: () => Promise<void>;
}

/**
 * Most events of a day times groupings that are counted in one scan of its blocks: each grouping has 4 bytes for each visitor of the
 * day, so that one scan takes 64 MB at most. A busier day is scanned several times.
 */
const MOST_COUNTED = 16_000_000;

/** Counts a day, or the part of it in the range, by several groupings. Rows of events that are in no block are read once. */
export async function countDay(
  pass: AnalyticsPass,
  day: DayPlan,
  counters: readonly Counter[],
  counting: Counting,
): Promise<void> {
  const wanted = { ...pass, groupings: counters.map(({ grouping }) => grouping) };
  const raw: EventColumns[] = [];
  for (const span of day.raw) raw.push(...(await readRaw(wanted, span, counting.dictionary)));
  const events = sizeOf(day.blocks) + raw.reduce((sum, { length }) => sum + length, 0);
  const atOnce = Math.max(1, Math.floor(MOST_COUNTED / Math.max(1, events)));
  for (let at = 0; at < counters.length; at += atOnce) {
    const some = counters.slice(at, at + atOnce);
    const groupings = some.map(({ grouping }) => grouping);
    await scanDay({ ...pass, groupings }, day, raw, some, counting);
  }
}

async function scanDay(
  pass: AnalyticsPass,
  day: DayPlan,
  raw: readonly EventColumns[],
  counters: readonly Counter[],
  { dictionary, tagLists, isCached, yieldNow }: Counting,
): Promise<void> {
  const lists = await tagCells(tagLists, dictionary);
  const selection = new Selection(pass.filters, pass.groupings, dictionary, lists);
  const expected = sizeOf(day.blocks) + raw.reduce((sum, { length }) => sum + length, 0);
  const visitors = new VisitorNumbers(expected / 2);
  for (const { tally } of counters) tally.beginDay(expected);
  const byClass = Map.groupBy(counters, ({ grouping }) => grouping.trafficClass);
  const count = async (events: EventColumns) => {
    const selected = selection.select(events, day.fromMs, day.toMs);
    const numbered = numberVisitors(visitors, events, selected);
    await yieldNow();
    for (const [trafficClass, some] of byClass) {
      const indexes = byClass.size === 1 ? selected : ofClass(events, selected, trafficClass);
      for (const { grouping, tally } of some) {
        selection.count(events, numbered, indexes, grouping, tally);
        await yieldNow();
      }
    }
  };
  for (const blocks of inBatches(day.blocks))
    for (const events of await readBlocks(pass.projectId, blocks, dimensionsOf(pass), isCached)) await count(events);
  for (const events of raw) await count(events);
}

/** Numbers the visitors once for all groupings, which then look them up in arrays instead of hash tables. */
function numberVisitors(
  visitors: VisitorNumbers,
  { length, high, low }: EventColumns,
  indexes: Uint32Array,
): EventVisitors {
  const numbers = new Uint32Array(length);
  for (const index of indexes) numbers[index] = visitors.numberOf(high[index] as number, low[index] as number);
  return { numbers, count: visitors.size };
}

function readRaw(pass: AnalyticsPass, span: TimeSpan, dictionary: KeyDictionary): Promise<EventColumns[]> {
  const source = APP_TABLES[pass.event];
  if (source) return readAppEvents(source, pass, span, dictionary);
  return readRawEvents(pass, span, dimensionsOf(pass), dictionary);
}

/** The dimensions of clicks that the pass needs. */
function dimensionsOf(pass: AnalyticsPass): Dimension[] {
  return [...dimensionsNeeded(pass)].filter((name): name is Dimension => name in DIMENSIONS);
}

/** Approximate memory of a click: time, visitor and class; and its key in a dimension. */
const CLICK_BYTES = 13;
const KEY_BYTES = 2;

/**
 * Whether the columns of a pass are worth caching. A pass that needs more than half of the cache would evict everything else
 * without finding its own columns the next time. `days`: those of each grouping, the same ones in the same order.
 */
export function fitsCache(pass: AnalyticsPass, days: readonly DayPlan[][]): boolean {
  const [first = []] = days;
  const clicks = first.reduce((sum, _, at) => sum + Math.max(...days.map((own) => sizeOf(own[at]?.blocks ?? []))), 0);
  const bytes = clicks * (CLICK_BYTES + dimensionsOf(pass).length * KEY_BYTES);
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
