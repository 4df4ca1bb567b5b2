import type { Dimension } from '../clicks/dimensions.ts';
import { type Filter, type Grouping, UNKNOWN_KEY } from './AnalyticsQuery.ts';
import { type EventColumns, TRAFFIC_CLASSES } from './columns/EventColumns.ts';
import { cellDimension } from './columns/keyStore.ts';
import type { KeyDictionary } from './KeyDictionary.ts';
import type { EventVisitors, Tally } from './Tally.ts';

/** A condition on one column: the numbers to keep. */
interface ColumnTest {
  column(events: EventColumns): ArrayLike<number>;
  numbers: ReadonlySet<number>;
  isExcluding: boolean;
}

type TagLists = ReadonlyMap<number, readonly number[]>;

const NO_TAGS: readonly number[] = [0];

/** Selects the events that several groupings are about, and assigns them to cells (the number of a key, class or bucket). */
export class Selection {
  readonly #tests: ColumnTest[];
  readonly #dictionary: KeyDictionary;

  /** `tagLists`: for the number of each list of tags, the numbers of its tags. */
  constructor(
    filters: readonly Filter[],
    groupings: readonly Grouping[],
    dictionary: KeyDictionary,
    private readonly tagLists: TagLists,
  ) {
    this.#dictionary = dictionary;
    this.#tests = filters.map((filter) => testOf(filter, dictionary, tagLists));
    const classes = [...new Set(groupings.map(({ trafficClass }) => trafficClass))];
    const wanted = classes.filter((name) => name !== null);
    if (wanted.length === classes.length) this.#tests.unshift(classTest(wanted, false));
  }

  /**
   * The indexes of events from `fromMs` up to but without `toMs` that any of the groupings counts. Works column by column, which
   * keeps each loop fast.
   */
  select(events: EventColumns, fromMs: number, toMs: number): Uint32Array {
    let indexes = indexesBetween(events, fromMs, toMs);
    for (const test of this.#tests) indexes = passing(indexes, test, test.column(events));
    return indexes;
  }

  /** Counts events at these indexes by a grouping, whatever their class. */
  count(events: EventColumns, visitors: EventVisitors, indexes: Uint32Array, grouping: Grouping, tally: Tally): void {
    const { groupBy, starts } = grouping;
    const add = (cells: Uint32Array) => tally.addEvents(events, visitors, indexes, cells);
    if (groupBy === 'none') add(new Uint32Array(indexes.length));
    else if (groupBy === 'time') add(bucketsOf(events, indexes, starts));
    else if (groupBy === 'link_series') add(this.#seriesCells(events, indexes, grouping));
    else if (groupBy === 'tag') this.#countTags(events, visitors, indexes, tally);
    else if (groupBy === 'traffic_class') add(picked(events.classes, indexes));
    else add(picked(events.keys[groupBy], indexes));
  }

  #seriesCells(events: EventColumns, indexes: Uint32Array, { starts, links = [] }: Grouping): Uint32Array {
    const firstCells = new Map(links.map((id, at) => [this.#dictionary.numberOf('link', id), at * starts.length]));
    const cells = bucketsOf(events, indexes, starts);
    const numbers = picked(events.keys.link, indexes);
    for (let at = 0; at < cells.length; at += 1)
      cells[at] = (cells[at] as number) + (firstCells.get(numbers[at] as number) ?? 0);
    return cells;
  }

  /** Counts an event with several tags in the cell of each. */
  #countTags(events: EventColumns, visitors: EventVisitors, indexes: Uint32Array, tally: Tally): void {
    const lists = picked(events.keys.tag, indexes);
    let size = 0;
    for (const list of lists) size += (this.tagLists.get(list) ?? NO_TAGS).length;
    const [repeated, cells] = [new Uint32Array(size), new Uint32Array(size)];
    let to = 0;
    for (let at = 0; at < lists.length; at += 1) {
      for (const tag of this.tagLists.get(lists[at] as number) ?? NO_TAGS) {
        repeated[to] = indexes[at] as number;
        cells[to++] = tag;
      }
    }
    tally.addEvents(events, visitors, repeated, cells);
  }
}

/** The index of the last start that is not after the moment; 0 before the first. */
export function bucketAt(starts: readonly number[], moment: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] as number) <= moment) low = middle;
    else high = middle - 1;
  }
  return low;
}

function indexesBetween(events: EventColumns, fromMs: number, toMs: number): Uint32Array {
  const first = indexAt(events, fromMs);
  const indexes = new Uint32Array(Math.max(0, indexAt(events, toMs) - first));
  for (let at = 0; at < indexes.length; at += 1) indexes[at] = first + at;
  return indexes;
}

/** The index of the first event that is not before the moment. */
export function indexAt({ at, baseMs, length }: EventColumns, moment: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (baseMs + (at[middle] as number) < moment) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The indexes whose number passes the test, moved to the front of the same array. */
function passing(indexes: Uint32Array, { numbers, isExcluding }: ColumnTest, column: ArrayLike<number>): Uint32Array {
  const flags = flagsOf(numbers);
  let count = 0;
  for (let at = 0; at < indexes.length; at += 1) {
    const index = indexes[at] as number;
    const number = column[index] as number;
    const isOne = number < flags.length ? flags[number] === 1 : numbers.has(number);
    if (isOne !== isExcluding) indexes[count++] = index;
  }
  return indexes.subarray(0, count);
}

/** The indexes of events of a class, in an array of their own; null stands for all classes. */
export function ofClass(events: EventColumns, indexes: Uint32Array, trafficClass: string | null): Uint32Array {
  if (trafficClass === null) return indexes;
  const test = classTest([trafficClass], false);
  return passing(indexes.slice(), test, test.column(events));
}

/** The numbers of a column at these indexes; zeros without the column. */
function picked(column: ArrayLike<number> | undefined, indexes: Uint32Array): Uint32Array {
  const numbers = new Uint32Array(indexes.length);
  if (column) for (let at = 0; at < indexes.length; at += 1) numbers[at] = column[indexes[at] as number] as number;
  return numbers;
}

/** The bucket of each event. Indexes are in the order of time. */
function bucketsOf(
  { baseMs, at: moments }: EventColumns,
  indexes: Uint32Array,
  starts: readonly number[],
): Uint32Array {
  const buckets = new Uint32Array(indexes.length);
  let bucket = bucketAt(starts, baseMs);
  let nextMs = (starts[bucket + 1] ?? Number.POSITIVE_INFINITY) - baseMs;
  for (let at = 0; at < indexes.length; at += 1) {
    while ((moments[indexes[at] as number] as number) >= nextMs) {
      bucket += 1;
      nextMs = (starts[bucket + 1] ?? Number.POSITIVE_INFINITY) - baseMs;
    }
    buckets[at] = bucket;
  }
  return buckets;
}

function testOf({ dimension, keys, isExcluding }: Filter, dictionary: KeyDictionary, tagLists: TagLists): ColumnTest {
  if (dimension === 'traffic_class') return classTest(keys, isExcluding);
  const single = new Set(keys.map((key) => dictionary.numberOf(cellDimension(dimension), key)));
  const isUnknownMeant = keys.includes(UNKNOWN_KEY);
  // A key that no event has ever had has no number.
  if (!isUnknownMeant) single.delete(0);
  const numbers =
    dimension === 'tag'
      ? new Set([
          ...(isUnknownMeant ? NO_TAGS : []),
          ...[...tagLists].flatMap(([list, tags]) => (tags.some((tag) => single.has(tag)) ? [list] : [])),
        ])
      : single;
  const column = (events: EventColumns) => events.keys[dimension as Dimension] ?? new Uint8Array(events.length);
  return { column, numbers, isExcluding };
}

function classTest(names: readonly string[], isExcluding: boolean): ColumnTest {
  const numbers = new Set(TRAFFIC_CLASSES.flatMap((name, code) => (names.includes(name) ? [code] : [])));
  return { column: ({ classes }) => classes, numbers, isExcluding };
}

/** Flags at the indexes of these numbers: a few times faster to read than a set. */
function flagsOf(numbers: ReadonlySet<number>): Uint8Array {
  const small = [...numbers].filter((number) => number < 1_000_000);
  const flags = new Uint8Array(Math.max(0, ...small) + 1);
  for (const number of small) flags[number] = 1;
  return flags;
}
