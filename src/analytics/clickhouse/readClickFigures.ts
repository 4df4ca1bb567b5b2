import { columnOf, testSql } from '../../clicks/clickhouse/conditions.ts';
import { literal, type Server, selectTotals } from '../../clicks/clickhouse/connection.ts';
import { ofProject } from '../../clicks/clickhouse/rows.ts';
import { CLICKS, openTable, readSettings } from '../../clicks/clickhouse/table.ts';
import { DIMENSIONS } from '../../clicks/dimensions.ts';
import { DAY_MS } from '../../kernel/clock.ts';
import type { AnalyticsPass, Filter, Grouping } from '../AnalyticsQuery.ts';
import { TRAFFIC_CLASSES } from '../columns/EventColumns.ts';
import type { Figures } from '../readFigures.ts';
import type { Count } from '../Tally.ts';

/** Groupings that are asked for at the same time. */
const AT_ONCE = 3;

/**
 * The figures of clicks for each grouping of a pass, counted by ClickHouse: the same as of the built-in store. Visitors are
 * counted by day, so that one of two days counts twice. Throws `ClicksUnavailable`.
 */
export async function readClickFigures(pass: AnalyticsPass): Promise<Figures[]> {
  const figures: Figures[] = [];
  for (let at = 0; at < pass.groupings.length; at += AT_ONCE) {
    const some = pass.groupings.slice(at, at + AT_ONCE);
    figures.push(...(await Promise.all(some.map((grouping) => readGrouping(pass, grouping)))));
  }
  return figures;
}

/** The rows of a statement: the values that they are grouped by, and then both figures. */
type Row = (string | number)[];

const COUNTS = `count() AS n, uniqExact(intDiv(occurred_ms, ${DAY_MS}), visitor) AS visitors`;

async function readGrouping(pass: AnalyticsPass, grouping: Grouping): Promise<Figures> {
  const dictionary = new AnswerKeys();
  const cellBy = cellsBy(grouping, await openTable());
  // A click with two tags is in two rows, and once in the total.
  const isRepeated = grouping.groupBy === 'tag';
  const [grouped, whole] = await Promise.all([
    cellBy.length > 0 ? ask(pass, grouping, cellBy, !isRepeated) : null,
    cellBy.length === 0 || isRepeated ? ask(pass, grouping, [], false) : null,
  ]);
  const total = countOf(whole?.data[0] ?? grouped?.totals);
  const bucketOf = new Map(grouping.starts.map((start, at) => [start, at]));
  const cells = (grouped?.data ?? whole?.data ?? [])
    .map((row): [number, Count] => [cellOf(row, grouping, bucketOf, dictionary), countOf(row)])
    .filter(([, { count }]) => count > 0);
  return { total, cells, dictionary, asOfMs: null };
}

async function ask(pass: AnalyticsPass, { trafficClass }: Grouping, by: readonly string[], hasTotals: boolean) {
  const names = by.map((_, at) => `g${at}`);
  const conditions = [
    ofProject(pass.projectId),
    `occurred_ms >= ${literal(pass.range.start)}`,
    `occurred_ms < ${literal(pass.range.end)}`,
    ...pass.filters.map(filterSql),
    ...(trafficClass === null ? [] : [`traffic_class = ${literal(trafficClass)}`]),
  ];
  const groupBy = by.length === 0 ? '' : `GROUP BY ${names.join(', ')} ${hasTotals ? 'WITH TOTALS' : ''}`;
  return selectTotals<Row>(
    `SELECT ${[...by.map((sql, at) => `${sql} AS g${at}`), COUNTS].join(', ')} FROM ${CLICKS}
     WHERE ${conditions.join(' AND ')} ${groupBy}`,
    await readSettings(),
  );
}

/** The expressions by whose values rows are grouped. */
function cellsBy({ groupBy, starts }: Grouping, { isRecent }: Server): string[] {
  if (groupBy === 'none') return [];
  // The greatest start that is not after the moment; before the first, the first.
  const bucket = isRecent
    ? `roundDown(occurred_ms, ${literal(starts)})`
    : `arrayReduce('max', arrayFilter(start -> start <= occurred_ms, ${literal(starts)}))`;
  if (groupBy === 'time') return [bucket];
  if (groupBy === 'link_series') return [columnOf('link'), bucket];
  if (groupBy === 'tag') return [`arrayJoin(if(empty(tag_ids), [''], tag_ids))`];
  if (groupBy === 'traffic_class' || groupBy in DIMENSIONS) return [columnOf(groupBy)];
  // Clicks lack it: all are unknown.
  return [`''`];
}

/** The cell of a row: the number of a bucket, class or key. */
function cellOf(
  row: Row,
  { groupBy, starts, links = [] }: Grouping,
  bucketOf: ReadonlyMap<number, number>,
  dictionary: AnswerKeys,
): number {
  const [first = '', second = ''] = row;
  if (groupBy === 'none') return 0;
  const bucket = (value: string | number) => bucketOf.get(Number(value)) ?? 0;
  if (groupBy === 'time') return bucket(first);
  if (groupBy === 'link_series') return links.indexOf(String(first)) * starts.length + bucket(second);
  if (groupBy === 'traffic_class') return TRAFFIC_CLASSES.indexOf(first as (typeof TRAFFIC_CLASSES)[number]);
  return dictionary.numberOf(String(first));
}

function countOf(row: Row | undefined): Count {
  const [count = 0, unique = 0] = row?.slice(-2) ?? [];
  return { count: Number(count), unique: Number(unique) };
}

/** Of a dimension that clicks lack, all have an unknown key. */
function filterSql(filter: Filter): string {
  const isOfClicks = filter.dimension === 'traffic_class' || filter.dimension in DIMENSIONS;
  return isOfClicks ? testSql(filter) : testSql({ ...filter, keys: [] });
}

/** Numbers for the keys of one answer: 0 for the unknown key, the others in the order in which they come. */
class AnswerKeys {
  readonly #numbers = new Map<string, number>([['', 0]]);
  readonly #keys: string[] = [''];

  numberOf(key: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#keys.length);
    return this.#keys.push(key) - 1;
  }

  /** The keys of numbers other than 0. All keys of an answer are of the same dimension. */
  async keysOf(_dimension: string, numbers: readonly number[]): Promise<Map<number, string>> {
    return new Map(numbers.flatMap((number) => (number === 0 ? [] : [[number, this.#keys[number] as string]])));
  }
}
