import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';
import { DIMENSION_NAMES, type Dimension, keysOf } from './dimensions.ts';
import { DAY_MS } from './periods.ts';

/** Project, dimension, key, UTC day (since the epoch), traffic class: what a row of click_days is about. */
export type DayCell = readonly [
  projectId: string,
  dimension: Dimension,
  key: string,
  day: number,
  trafficClass: string,
];

/** A row of click_day_visitors by its primary key; `id` is all of it in one text. */
interface Mark {
  id: string;
  row: readonly [projectId: string, day: number, mark: string];
}

interface Visitor extends Mark {
  trafficClass: string;
  /** By dimension, in the order in which they came. */
  keys: Set<string>[];
}

type StoredMark = { project_id: string; day: number; mark: string };
const MARK = { project_id: 'text', day: 'integer', mark: 'text' } as const;

/**
 * Remembers who clicked today and gives each cell that has one visitor more by it, once for each such visitor.
 *
 * A visitor's first click of a day makes one row (mark `<visitor> <class>`) that holds its keys of all dimensions; what
 * differs from them later makes one small row each (`<visitor> <class> <dimension> <key>`). Most visitors so need one
 * row and not seven. Nobody else may count the same project meanwhile: see takeTurns.
 */
export async function newDayVisitors(clicks: Click[], transaction: Transaction): Promise<DayCell[]> {
  const visitors = visitorsOf(clicks);
  const firstKeys = await firstKeysOf(visitors, transaction);
  const added = await addVisitors(
    visitors.filter(({ id }) => !firstKeys.has(id)),
    transaction,
  );
  return [...added, ...(await addFurtherKeys(visitors, firstKeys, transaction))];
}

function visitorsOf(clicks: Click[]): Visitor[] {
  const found = new Map<string, Visitor>();
  for (const click of clicks) {
    const { projectId, trafficClass } = click;
    const mark = newMark(projectId, Math.floor(click.occurredAt / DAY_MS), `${click.visitor} ${trafficClass}`);
    const keys = keysOf(click);
    const visitor = found.get(mark.id);
    if (visitor === undefined) found.set(mark.id, { ...mark, trafficClass, keys: keys.map((key) => new Set([key])) });
    else for (const [at, key] of keys.entries()) visitor.keys[at]?.add(key);
  }
  return inOrder([...found.values()]);
}

/** What was stored of those visitors that are known already. */
async function firstKeysOf(visitors: Visitor[], transaction: Transaction): Promise<Map<string, string[]>> {
  const stored = await withJsonRows<StoredMark & { first_keys: string }>(
    MARK,
    visitors.map(({ row }) => row),
    `SELECT known.project_id, known.day, known.mark, known.first_keys FROM given JOIN click_day_visitors AS known
     ON known.project_id = given.project_id AND known.day = given.day AND known.mark = given.mark`,
    transaction,
  );
  return new Map(stored.map((row) => [idOf(row.project_id, row.day, row.mark), JSON.parse(row.first_keys)]));
}

async function addVisitors(visitors: Visitor[], transaction: Transaction): Promise<DayCell[]> {
  await withJsonRows(
    { ...MARK, first_keys: 'text' },
    visitors.map(({ row, keys }) => [...row, JSON.stringify(keys.map(firstOf))]),
    `INSERT INTO click_day_visitors (project_id, day, mark, first_keys) SELECT * FROM given WHERE true
     ON CONFLICT (project_id, day, mark) DO NOTHING`,
    transaction,
  );
  return visitors.flatMap((visitor) => visitor.keys.map((keys, at) => cellOf(visitor, at, firstOf(keys))));
}

async function addFurtherKeys(
  visitors: Visitor[],
  firstKeys: ReadonlyMap<string, string[]>,
  transaction: Transaction,
): Promise<DayCell[]> {
  const further = new Map<string, Mark & { cell: DayCell }>();
  for (const visitor of visitors) {
    const first = firstKeys.get(visitor.id) ?? visitor.keys.map(firstOf);
    for (const [at, keys] of visitor.keys.entries()) {
      for (const key of keys) {
        if (key === first[at]) continue;
        const [projectId, day, who] = visitor.row;
        const mark = newMark(projectId, day, `${who} ${DIMENSION_NAMES[at]} ${key}`);
        further.set(mark.id, { ...mark, cell: cellOf(visitor, at, key) });
      }
    }
  }
  const added = await withJsonRows<StoredMark>(
    MARK,
    inOrder([...further.values()]).map(({ row }) => row),
    `INSERT INTO click_day_visitors (project_id, day, mark) SELECT * FROM given WHERE true
     ON CONFLICT (project_id, day, mark) DO NOTHING RETURNING project_id, day, mark`,
    transaction,
  );
  return added.map((row) => (further.get(idOf(row.project_id, row.day, row.mark)) as { cell: DayCell }).cell);
}

function newMark(projectId: string, day: number, mark: string): Mark {
  return { id: idOf(projectId, day, mark), row: [projectId, day, mark] };
}

function idOf(projectId: string, day: number, mark: string): string {
  return `${projectId} ${day} ${mark}`;
}

function cellOf({ row, trafficClass }: Visitor, at: number, key: string): DayCell {
  return [row[0], DIMENSION_NAMES[at] as Dimension, key, row[1], trafficClass];
}

function firstOf(keys: Set<string>): string {
  return keys.values().next().value as string;
}

/** Neighbours in the table are written one after the other. */
function inOrder<Row extends Mark>(rows: Row[]): Row[] {
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}
