import { type Bind, selectWritten } from '../../db/selectWritten.ts';
import { type Order, type Position, type Stretch, stretchesAfter, stretchSql } from '../keyset.ts';
import type { Spot } from '../paging.ts';
import { type Condition, indexSource, type Source } from './condition.ts';
import { creationCondition, type LinkQuestion } from './linkFilter.ts';

/** How the links of a question are read in an order. */
export interface Walk {
  order: Order;
  projectId: string;
  /** An index that has the links in this order. */
  source: Source;
  /** All conditions; the time of creation is none where links are read in order of creation: it bounds the stretch. */
  conditions: Condition[];
  /** Those that do not follow from the index. */
  tests: Condition[];
}

export function planWalk(question: LinkQuestion, order: Order): Walk {
  const { projectId } = question;
  const isByCreation = order.column === CREATED;
  const creation = isByCreation ? null : creationCondition(question);
  const conditions = creation ? [...question.conditions, creation] : question.conditions;
  const inOrder = isByCreation ? conditions.find(({ source }) => source?.isByCreation) : undefined;
  const source = inOrder?.source ?? indexSource(projectId, `links_project_id_${order.column}_id`, () => 'true');
  const tests = conditions.filter((condition) => condition !== inOrder || !source.isExact);
  return { order, projectId, source, conditions, tests };
}

const CREATED = 'created_at';

/** What is left to read after a position, within the time that the question asks about. */
export function stretchesOf(question: LinkQuestion, order: Order, after: Position | null): Stretch[] {
  if (order.column !== CREATED) return stretchesAfter(order, after);
  const { createdFrom, createdBefore } = question;
  const isDescending = order.direction === 'DESC';
  const start = edge(isDescending ? createdBefore : createdFrom);
  const through = edge(isDescending ? createdFrom : createdBefore);
  const isInside = after?.value && (!start || (isDescending ? after.value < start.value : after.value >= start.value));
  return stretchesAfter(order, isInside ? after : start).map((stretch) => ({ ...stretch, through }));
}

/** No link has an empty id: this stands before all of one moment. */
function edge(value: Date | null): { value: Date; id: string } | null {
  return value && { value, id: '' };
}

/** The first links of a stretch that pass the tests. */
export function readStretch(walk: Walk, stretch: Stretch, count: number): Promise<Spot[]> {
  return readSpots(walk, (bind) => {
    const tests = walk.tests.map(({ test }) => ` AND ${test(bind)}`).join('');
    return `SELECT ${spotOf(walk)} FROM ${entriesOf(walk, stretch, bind)}${tests} ORDER BY ${orderOf(walk)} LIMIT ${count}`;
  });
}

/** The link at that number of a stretch, whatever the tests; null when it is shorter. */
export async function spotAfter(walk: Walk, stretch: Stretch, number: number): Promise<Position | null> {
  const [spot] = await readSpots(
    walk,
    (bind) =>
      `SELECT ${spotOf(walk)} FROM ${entriesOf(walk, stretch, bind)} ORDER BY ${orderOf(walk)} LIMIT 1 OFFSET ${number - 1}`,
  );
  return spot ? (spot as Position) : null;
}

/** All of a stretch, whatever the tests, after FROM. */
export function entriesOf({ source, order }: Walk, stretch: Stretch, bind: Bind): string {
  return `${source.from} WHERE ${source.where(bind)} AND ${stretchSql(order, stretch, bind)}`;
}

/** Links by their ids and sort values, of a statement that selects `spotOf`. */
export async function readSpots({ order }: Walk, write: (bind: Bind) => string): Promise<Spot[]> {
  const rows = await selectWritten<{ id: string; value: Date | number | string | null }>(write);
  // SQLite keeps moments as text.
  const isTime = order.kind === 'time';
  return rows.map(({ id, value }) => ({ id, value: isTime && value !== null ? new Date(value) : value }));
}

export function spotOf({ order }: Walk): string {
  return `id, ${order.column} AS value`;
}

function orderOf({ order: { column, direction } }: Walk): string {
  return `${column} ${direction}, id ${direction}`;
}
