import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';
import { dimensions } from './dimensions.ts';
import { DAY_MS } from './periods.ts';

/** A cell of click_days: project, dimension, key, UTC day, traffic class. */
export type DayCell = [projectId: string, dimension: string, key: string, day: number, trafficClass: string];

interface VisitorOfDay {
  projectId: string;
  day: number;
  trafficClass: string;
  /** Visitor and class: the row of click_day_visitors that says that they were seen. */
  mark: string;
  /** By dimension, in the order of the table: the key of their first click here, and every key of this batch. */
  firstKeys: string[];
  seenKeys: Set<string>[];
}

const COLUMNS = { project_id: 'text', day: 'integer', mark: 'text' } as const;
const FROM_GIVEN = 'SELECT * FROM given WHERE true ON CONFLICT (project_id, day, mark) DO NOTHING';

interface Marked {
  project_id: string;
  day: number;
  mark: string;
}

/**
 * Notes who was seen that day and gives the cells of click_days that a visitor is new in, one entry for each visitor.
 * Nearly all that is known of a visitor stays the same all day, so a visitor's first click is one row with its keys in
 * all dimensions, and only a key that differs from it is a row of its own: one write in place of seven.
 */
export async function newDayVisitors(clicks: Click[], transaction: Transaction): Promise<DayCell[]> {
  const visitors = visitorsOf(clicks);
  const known = await markFirsts(visitors, transaction);
  const cells: DayCell[] = [];
  const extras = new Map<string, { row: unknown[]; cell: DayCell }>();
  for (const [id, visitor] of visitors) {
    const { projectId, day, trafficClass, mark, firstKeys, seenKeys } = visitor;
    const knownKeys = known.get(id);
    for (const [at, [dimension]] of dimensions.entries()) {
      const cellOf = (key: string): DayCell => [projectId, dimension, key, day, trafficClass];
      const first = (knownKeys ?? firstKeys)[at];
      if (!knownKeys) cells.push(cellOf(first as string));
      for (const key of seenKeys[at] ?? []) {
        if (key === first) continue;
        const extra = `${mark} ${dimension} ${key}`;
        extras.set(`${projectId} ${day} ${extra}`, { row: [projectId, day, extra], cell: cellOf(key) });
      }
    }
  }
  return [...cells, ...(await markExtras(extras, transaction))];
}

function visitorsOf(clicks: Click[]): Map<string, VisitorOfDay> {
  const visitors = new Map<string, VisitorOfDay>();
  for (const click of clicks) {
    const day = Math.floor(click.occurredAt / DAY_MS);
    const mark = `${click.visitor} ${click.trafficClass}`;
    const id = `${click.projectId} ${day} ${mark}`;
    const keys = dimensions.map(([, { keyOf }]) => keyOf(click));
    const { projectId, trafficClass } = click;
    const visitor = visitors.get(id);
    for (const [at, key] of keys.entries()) visitor?.seenKeys[at]?.add(key);
    if (!visitor) {
      const seenKeys = keys.map((key) => new Set([key]));
      visitors.set(id, { projectId, day, trafficClass, mark, firstKeys: keys, seenKeys });
    }
  }
  return visitors;
}

/** Writes the rows of visitors who are new that day; gives the keys of those who are not. */
async function markFirsts(
  visitors: Map<string, VisitorOfDay>,
  transaction: Transaction,
): Promise<Map<string, string[]>> {
  const rows = sortedByKey(visitors).map(({ projectId, day, mark, firstKeys }) => [
    projectId,
    day,
    mark,
    JSON.stringify(firstKeys),
  ]);
  const added = await withJsonRows<Marked>(
    { ...COLUMNS, profiles: 'text' },
    rows,
    `INSERT INTO click_day_visitors (project_id, day, mark, profiles) ${FROM_GIVEN} RETURNING project_id, day, mark`,
    transaction,
  );
  const fresh = new Set(added.map(idOf));
  const old = rows.filter(([projectId, day, mark]) => !fresh.has(`${projectId} ${day} ${mark}`));
  if (old.length === 0) return new Map();
  const found = await withJsonRows<Marked & { profiles: string }>(
    COLUMNS,
    old.map((row) => row.slice(0, 3)),
    `SELECT v.project_id, v.day, v.mark, v.profiles FROM given JOIN click_day_visitors v
       ON v.project_id = given.project_id AND v.day = given.day AND v.mark = given.mark`,
    transaction,
  );
  return new Map(found.map((row) => [idOf(row), JSON.parse(row.profiles)]));
}

async function markExtras(
  extras: Map<string, { row: unknown[]; cell: DayCell }>,
  transaction: Transaction,
): Promise<DayCell[]> {
  if (extras.size === 0) return [];
  const added = await withJsonRows<Marked>(
    COLUMNS,
    sortedByKey(extras).map(({ row }) => row),
    `INSERT INTO click_day_visitors (project_id, day, mark) ${FROM_GIVEN} RETURNING project_id, day, mark`,
    transaction,
  );
  return added.map((row) => extras.get(idOf(row))?.cell).filter((cell) => cell !== undefined);
}

function idOf({ project_id, day, mark }: Marked): string {
  return `${project_id} ${day} ${mark}`;
}

/** Rows in one order in every process: two that write the same ones wait for each other instead of deadlocking. */
function sortedByKey<Value>(map: Map<string, Value>): Value[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, value]) => value);
}
