import type { Dimension } from '../clicks/dimensions.ts';
import { cellDimension } from '../rollups/cellDimension.ts';
import { type Part, TRAFFIC_CLASSES } from '../rollups/Part.ts';
import type { Numbering } from './Numbering.ts';
import type { Filter, Question } from './Question.ts';
import type { Tally } from './Tally.ts';

/** Whether an event of a part is wanted. */
type Test = (part: Part, at: number) => boolean;

/** Events of parts that a question is about, and the cells that they belong to. */
export class Selection {
  readonly #tests: Test[];
  readonly #cellsOf: (part: Part, at: number) => number | readonly number[] | null;

  /** `tagLists`: what each number of a list of tags stands for, as numbers of single tags. */
  constructor(
    private readonly question: Question,
    numbering: Numbering,
    tagLists: ReadonlyMap<number, readonly number[]>,
  ) {
    const { trafficClass, filters, groupBy } = question;
    this.#tests = filters.map((filter) => testOf(filter, numbering, tagLists));
    if (trafficClass !== null) this.#tests.unshift(classTest([trafficClass], false));
    this.#cellsOf = cellsOf(groupBy, tagLists);
  }

  /** Counts the events of a part from `fromMs` up to but without `toMs`. */
  count(part: Part, fromMs: number, toMs: number, tally: Tally): void {
    const { at, high, low, baseMs, weights } = part;
    const { starts, groupBy } = this.question;
    let bucket = groupBy === 'time' ? bucketAt(starts, baseMs) : 0;
    for (let place = 0; place < part.length; place += 1) {
      const moment = baseMs + (at[place] as number);
      if (moment < fromMs) continue;
      if (moment >= toMs) break;
      if (!this.#isWanted(part, place)) continue;
      const [one, other] = [high[place] as number, low[place] as number];
      const weight = weights ? (weights[place] as number) : 1;
      tally.addTotal(one, other, weight);
      if (groupBy === 'time') {
        while (moment >= (starts[bucket + 1] ?? Number.POSITIVE_INFINITY)) bucket += 1;
        tally.addCell(bucket, one, other, weight);
        continue;
      }
      const cells = this.#cellsOf(part, place);
      if (typeof cells === 'number') tally.addCell(cells, one, other, weight);
      else if (cells !== null) for (const cell of cells) tally.addCell(cell, one, other, weight);
    }
  }

  #isWanted(part: Part, place: number): boolean {
    for (const test of this.#tests) if (!test(part, place)) return false;
    return true;
  }
}

/** The place of the last start that is not after the moment; 0 before the first. */
export function bucketAt(starts: readonly number[], moment: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

function cellsOf(groupBy: Question['groupBy'], tagLists: ReadonlyMap<number, readonly number[]>) {
  if (groupBy === 'none' || groupBy === 'time') return () => null;
  if (groupBy === 'traffic_class') return (part: Part, at: number) => part.classes[at] as number;
  if (groupBy !== 'tag') return (part: Part, at: number) => part.keys[groupBy]?.[at] ?? 0;
  const none = [0];
  return (part: Part, at: number) => tagLists.get(part.keys.tag?.[at] ?? 0) ?? none;
}

function testOf(
  { dimension, keys, isExcluding }: Filter,
  numbering: Numbering,
  tagLists: ReadonlyMap<number, readonly number[]>,
): Test {
  if (dimension === 'traffic_class') return classTest(keys, isExcluding);
  const single = new Set(keys.map((key) => numbering.numberOf(cellDimension(dimension), key)));
  // A key that nobody has ever had has no number.
  single.delete(0);
  const wanted =
    dimension === 'tag'
      ? new Set([...tagLists].flatMap(([list, tags]) => (tags.some((tag) => single.has(tag)) ? [list] : [])))
      : single;
  const flags = flagsOf(wanted);
  return (part, at) => {
    const number = part.keys[dimension as Dimension]?.[at] ?? 0;
    const isOne = number < flags.length ? flags[number] === 1 : wanted.has(number);
    return isOne !== isExcluding;
  };
}

/** Numbers as places of a list: asked a few times faster than a set. */
function flagsOf(numbers: ReadonlySet<number>): Uint8Array {
  const small = [...numbers].filter((number) => number < 1_000_000);
  const flags = new Uint8Array(Math.max(0, ...small) + 1);
  for (const number of small) flags[number] = 1;
  return flags;
}

function classTest(names: readonly string[], isExcluding: boolean): Test {
  const wanted = TRAFFIC_CLASSES.map((name) => names.includes(name) !== isExcluding);
  return (part, at) => wanted[part.classes[at] as number] as boolean;
}
