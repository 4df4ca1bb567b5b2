import {
  type KeysetPosition,
  type KeysetRange,
  type Order,
  type RowPosition,
  rangeSql,
  rangesAfter,
} from '../../db/paging.ts';
import { type Bind, buildQuery } from '../../db/query.ts';
import { type Condition, indexSource, type Source } from './condition.ts';
import { creationCondition, type LinkQuery } from './linkFilter.ts';

const CREATED = 'created_at';

export const NEWEST_FIRST: Order = { column: CREATED, kind: 'time', hasNulls: false, direction: 'DESC' };

/** How the links of a query are read in order. */
export interface LinkScan {
  order: Order;
  projectId: string;
  /** An index in this order. */
  source: Source;
  /** All conditions. In order of creation the period of creation is not among them: it bounds the ranges. */
  conditions: Condition[];
  /** The conditions that the index does not guarantee. */
  tests: Condition[];
}

export function planScan(query: LinkQuery, order: Order): LinkScan {
  const { projectId } = query;
  const isByCreation = order.column === CREATED;
  const creation = isByCreation ? null : creationCondition(query);
  const conditions = creation ? [...query.conditions, creation] : query.conditions;
  const inOrder = isByCreation ? conditions.find(({ source }) => source?.isByCreation) : undefined;
  const source = inOrder?.source ?? indexSource(projectId, `links_project_id_${order.column}_id`, () => 'true');
  const tests = conditions.filter((condition) => condition !== inOrder || !source.isExact);
  return { order, projectId, source, conditions, tests };
}

/** The ranges that are left after a position, within the period of creation. */
export function rangesLeft(query: LinkQuery, order: Order, after: KeysetPosition | null): KeysetRange[] {
  if (order.column !== CREATED) return rangesAfter(order, after);
  const { createdFrom, createdBefore } = query;
  const isDescending = order.direction === 'DESC';
  const start = edge(isDescending ? createdBefore : createdFrom);
  const through = edge(isDescending ? createdFrom : createdBefore);
  const isInside = after?.value && (!start || (isDescending ? after.value < start.value : after.value >= start.value));
  return rangesAfter(order, isInside ? after : start).map((range) => ({ ...range, through }));
}

/** A position before all links of one moment: no link has an empty id. */
function edge(value: Date | null): { value: Date; id: string } | null {
  return value && { value, id: '' };
}

/** The first links of a range that pass the tests. */
export function readRange(scan: LinkScan, range: KeysetRange, count: number): Promise<RowPosition[]> {
  return readPositions(scan, (bind) => {
    const tests = scan.tests.map(({ test }) => ` AND ${test(bind)}`).join('');
    return `SELECT ${positionColumns(scan)} FROM ${rangeSource(scan, range, bind)}${tests} ORDER BY ${orderOf(scan)} LIMIT ${count}`;
  });
}

/** The position of the link with this number in a range, before any tests; null when the range is shorter. */
export async function positionAfter(
  scan: LinkScan,
  range: KeysetRange,
  number: number,
): Promise<KeysetPosition | null> {
  const [position] = await readPositions(
    scan,
    (bind) =>
      `SELECT ${positionColumns(scan)} FROM ${rangeSource(scan, range, bind)} ORDER BY ${orderOf(scan)} LIMIT 1 OFFSET ${number - 1}`,
  );
  return position ? (position as KeysetPosition) : null;
}

/** A FROM clause with all links of a range, before any tests. */
export function rangeSource({ source, order }: LinkScan, range: KeysetRange, bind: Bind): string {
  return `${source.from} WHERE ${source.where(bind)} AND ${rangeSql(order, range, bind)}`;
}

/** Runs a statement that selects `positionColumns`. */
export async function readPositions({ order }: LinkScan, sql: (bind: Bind) => string): Promise<RowPosition[]> {
  const rows = await buildQuery<{ id: string; value: Date | number | string | null }>(sql);
  // SQLite stores times as text.
  const isTime = order.kind === 'time';
  return rows.map(({ id, value }) => ({ id, value: isTime && value !== null ? new Date(value) : value }));
}

export function positionColumns({ order }: LinkScan): string {
  return `id, ${order.column} AS value`;
}

function orderOf({ order: { column, direction } }: LinkScan): string {
  return `${column} ${direction}, id ${direction}`;
}
