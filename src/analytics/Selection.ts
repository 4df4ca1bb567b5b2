import type { Dimension } from '../clicks/dimensions.ts';
import { cellDimension } from '../rollups/cellDimension.ts';
import { type Part, TRAFFIC_CLASSES } from '../rollups/Part.ts';
import type { Numbering } from './Numbering.ts';
import type { Filter, Question } from './Question.ts';
import type { Tally } from './Tally.ts';

/** Which numbers of one column of a part are wanted. */
interface Test {
  column(part: Part): ArrayLike<number>;
  numbers: ReadonlySet<number>;
  isExcluding: boolean;
}

type TagLists = ReadonlyMap<number, readonly number[]>;

const NO_TAGS: readonly number[] = [0];

/** Events of parts that a question is about, and the cells that they belong to. */
export class Selection {
  readonly #tests: Test[];

  /** `tagLists`: what each number of a list of tags stands for, as numbers of single tags. */
  constructor(
    private readonly question: Question,
    numbering: Numbering,
    private readonly tagLists: TagLists,
  ) {
    const { trafficClass, filters } = question;
    this.#tests = filters.map((filter) => testOf(filter, numbering, tagLists));
    if (trafficClass !== null) this.#tests.unshift(classTest([trafficClass], false));
  }

  /** Counts the events of a part from `fromMs` up to but without `toMs`. Column by column: so each loop is a fast one. */
  count(part: Part, fromMs: number, toMs: number, tally: Tally): void {
    let places = placesBetween(part, fromMs, toMs);
    for (const test of this.#tests) places = passing(places, test, test.column(part));
    const { groupBy, starts } = this.question;
    if (groupBy === 'none') tally.addEvents(part, places, new Uint32Array(places.length));
    else if (groupBy === 'time') tally.addEvents(part, places, bucketsOf(part, places, starts));
    else if (groupBy === 'tag') this.#countTags(part, places, tally);
    else if (groupBy === 'traffic_class') tally.addEvents(part, places, picked(part.classes, places));
    else tally.addEvents(part, places, picked(part.keys[groupBy], places));
  }

  /** An event with several tags is in the cell of each. */
  #countTags(part: Part, places: Uint32Array, tally: Tally): void {
    const lists = picked(part.keys.tag, places);
    let size = 0;
    for (const list of lists) size += (this.tagLists.get(list) ?? NO_TAGS).length;
    const [repeated, cells] = [new Uint32Array(size), new Uint32Array(size)];
    let to = 0;
    for (let at = 0; at < lists.length; at += 1) {
      for (const tag of this.tagLists.get(lists[at] as number) ?? NO_TAGS) {
        repeated[to] = places[at] as number;
        cells[to++] = tag;
      }
    }
    tally.addEvents(part, repeated, cells);
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

function placesBetween(part: Part, fromMs: number, toMs: number): Uint32Array {
  const first = placeAt(part, fromMs);
  const places = new Uint32Array(Math.max(0, placeAt(part, toMs) - first));
  for (let at = 0; at < places.length; at += 1) places[at] = first + at;
  return places;
}

/** The place of the first event that is not before the moment. */
function placeAt({ at, baseMs, length }: Part, moment: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (baseMs + (at[middle] as number) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Those places whose number the test wants; they are moved to the front of the same memory. */
function passing(places: Uint32Array, { numbers, isExcluding }: Test, column: ArrayLike<number>): Uint32Array {
  const flags = flagsOf(numbers);
  let count = 0;
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] as number;
    const number = column[place] as number;
    const isOne = number < flags.length ? flags[number] === 1 : numbers.has(number);
    if (isOne !== isExcluding) places[count++] = place;
  }
  return places.subarray(0, count);
}

/** What a column has at each of the places; zeros without the column. */
function picked(column: ArrayLike<number> | undefined, places: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(places.length);
  if (column) for (let at = 0; at < places.length; at += 1) numbers[at] = column[places[at] as number] as number;
  return numbers;
}

/** The bucket of each event, which are in the order of time. */
function bucketsOf({ baseMs, at: moments }: Part, places: Uint32Array, starts: readonly number[]): Uint32Array {
  const buckets = new Uint32Array(places.length);
  let bucket = bucketAt(starts, baseMs);
  let nextMs = (starts[bucket + 1] ?? Number.POSITIVE_INFINITY) - baseMs;
  for (let at = 0; at < places.length; at += 1) {
    while ((moments[places[at] as number] as number) >= nextMs) {
      bucket += 1;
      nextMs = (starts[bucket + 1] ?? Number.POSITIVE_INFINITY) - baseMs;
    }
    buckets[at] = bucket;
  }
  return buckets;
}

function testOf({ dimension, keys, isExcluding }: Filter, numbering: Numbering, tagLists: TagLists): Test {
  if (dimension === 'traffic_class') return classTest(keys, isExcluding);
  const single = new Set(keys.map((key) => numbering.numberOf(cellDimension(dimension), key)));
  // A key that nobody has ever had has no number.
  single.delete(0);
  const numbers =
    dimension === 'tag'
      ? new Set([...tagLists].flatMap(([list, tags]) => (tags.some((tag) => single.has(tag)) ? [list] : [])))
      : single;
  const column = (part: Part) => part.keys[dimension as Dimension] ?? new Uint8Array(part.length);
  return { column, numbers, isExcluding };
}

function classTest(names: readonly string[], isExcluding: boolean): Test {
  const numbers = new Set(TRAFFIC_CLASSES.flatMap((name, code) => (names.includes(name) ? [code] : [])));
  return { column: ({ classes }) => classes, numbers, isExcluding };
}

/** Numbers as places of a list: asked a few times faster than a set. */
function flagsOf(numbers: ReadonlySet<number>): Uint8Array {
  const small = [...numbers].filter((number) => number < 1_000_000);
  const flags = new Uint8Array(Math.max(0, ...small) + 1);
  for (const number of small) flags[number] = 1;
  return flags;
}
