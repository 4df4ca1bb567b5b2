import { DIMENSIONS, type Dimension } from '../clicks/dimensions.ts';
import { QUARTER_MS } from '../clicks/periods.ts';
import { config } from '../kernel/config.ts';
import { sliced } from '../kernel/sliced.ts';
import { type BlockRow, readBlockRows, readVersion } from '../rollups/blockRows.ts';
import { cellDimension } from '../rollups/cellDimension.ts';
import type { Part } from '../rollups/Part.ts';
import { readParts } from '../rollups/readParts.ts';
import { readTagLists } from '../rollups/tagLists.ts';
import { APP_TABLES } from './appTables.ts';
import { daysWithEvents } from './daysWithEvents.ts';
import { addTotals, type DayTotalsRead, readDayTotals } from './dayTotals.ts';
import { Numbering } from './Numbering.ts';
import { type DayPlan, planDays, type Stock, type TimeSpan } from './planDays.ts';
import type { Question } from './Question.ts';
import { readAppParts } from './readAppParts.ts';
import { readRawPart } from './readRawPart.ts';
import { Selection } from './Selection.ts';
import { type Count, Tally } from './Tally.ts';
import { tagCells } from './tagCells.ts';
import { totalsPlan } from './totalsPlan.ts';

export interface Figures {
  total: Count;
  /** By bucket, class or number of a key; only those with events. */
  cells: [cell: number, count: Count][];
  numbering: Numbering;
}

/** Blocks change every few seconds at most; a question that meets a change is asked again. */
const ATTEMPTS = 10;

/** Answers a question from totals of days, blocks, and the rows of events that are in none. */
export async function readFigures(question: Question): Promise<Figures> {
  for (let attempt = 1; ; attempt += 1) {
    const figures = await readOnce(question);
    if (figures || attempt === ATTEMPTS)
      return figures ?? Promise.reject(new Error('The blocks of clicks changed again and again'));
  }
}

/** Null: blocks were changed while they were read. */
async function readOnce(question: Question): Promise<Figures | null> {
  const { projectId, range } = question;
  const [from, to] = [Math.floor(range.start / QUARTER_MS), Math.ceil(range.end / QUARTER_MS)];
  const { version, ...stock } = await stockFor(question, from, to);
  const plan = totalsPlan(question);
  const numbering = new Numbering(projectId);
  await numbering.learn(
    question.filters.flatMap(({ dimension, keys }) => keys.map((key) => [cellDimension(dimension), key] as const)),
  );
  const totals = plan ? await readDayTotals(question, plan, numbering) : null;
  const days = planDays(question, stock, totals?.days ?? new Set(), plan?.isByQuarter ?? false);
  const tagLists = await tagListsFor(question);
  const tally = new Tally();
  const giveWay = sliced();
  const isKept = fitsMemory(question, days);
  for (const day of days) {
    if (day.isCounted) addTotals(question, totals as DayTotalsRead, day, tally);
    else await countDay(question, day, { numbering, tagLists, tally, isKept, giveWay });
    await giveWay();
  }
  if (version !== null && (await readVersion(projectId)) !== version) return null;
  return { total: tally.total, cells: tally.cells(), numbering };
}

/** Only clicks are put into blocks; other events are read from their rows. */
async function stockFor(question: Question, from: number, to: number): Promise<Stock & { version: number | null }> {
  if (question.event === 'click') return { ...(await readBlockRows(question.projectId, from, to)), days: [] };
  return { blocks: [], backlog: [], days: await daysWithEvents(question), version: null };
}

interface Counting {
  numbering: Numbering;
  /** Of the project's blocks: the tags that each number of a list stands for. */
  tagLists: ReadonlyMap<number, string[]>;
  tally: Tally;
  /** What is read of blocks stays in memory. */
  isKept: boolean;
  giveWay: () => Promise<void>;
}

/** Empty where the question is about no tags. */
async function tagListsFor({ projectId, groupBy, filters }: Question): Promise<Map<number, string[]>> {
  const isAsked = groupBy === 'tag' || filters.some(({ dimension }) => dimension === 'tag');
  return isAsked ? readTagLists(projectId) : new Map();
}

/** Reads a day, or the piece of it that is asked for. */
async function countDay(
  question: Question,
  day: DayPlan,
  { numbering, tagLists, tally, isKept, giveWay }: Counting,
): Promise<void> {
  const raw: Part[] = [];
  for (const span of day.raw) raw.push(...(await readRaw(question, span, numbering)));
  const selection = new Selection(question, numbering, await tagCells(tagLists, numbering));
  tally.beginDay(sizeOf(day.blocks) + raw.reduce((sum, { length }) => sum + length, 0));
  for (const blocks of inBatches(day.blocks)) {
    for (const part of await readParts(question.projectId, blocks, dimensionsOf(question), isKept)) {
      selection.count(part, day.fromMs, day.toMs, tally);
      await giveWay();
    }
  }
  for (const part of raw) {
    selection.count(part, day.fromMs, day.toMs, tally);
    await giveWay();
  }
}

function readRaw(question: Question, span: TimeSpan, numbering: Numbering): Promise<Part[]> {
  const source = APP_TABLES[question.event];
  if (source) return readAppParts(source, question, span, numbering);
  return readRawPart(question, span, dimensionsOf(question), numbering);
}

/** Dimensions that have to be read for the question. */
function dimensionsOf({ groupBy, filters }: Question): Dimension[] {
  const names = [groupBy, ...filters.map(({ dimension }) => dimension)];
  return [...new Set(names)].filter((name): name is Dimension => name in DIMENSIONS);
}

/** About what a click takes in memory: time, visitor and class, and its key in a dimension. */
const CLICK_BYTES = 13;
const KEY_BYTES = 2;

/**
 * A question about more than half of the memory would push everything else out of it, and find nothing of its own the
 * next time.
 */
function fitsMemory(question: Question, days: DayPlan[]): boolean {
  const clicks = days.reduce((sum, { blocks }) => sum + sizeOf(blocks), 0);
  const bytes = clicks * (CLICK_BYTES + dimensionsOf(question).length * KEY_BYTES);
  return bytes <= config.analyticsMemoryBytes / 2;
}

/** Clicks in the blocks that are read and held at once; those of a day that goes on may be small and many. */
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
