import { lookedUpFirst, withIndex, withoutIndex } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { idsOfSources, type KeysetPosition, type Order } from '../db/paging.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import { readRowsByIds, upsertRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { Install, type InstallColumns } from '../models/Install.ts';
import type { MatchMethod } from '../models/match.ts';

/** The columns of an install. */
export type InstallRow = InstallColumns;

/** Inserts or updates installs. The caller read them under the lock of their `installKey`: see attributeOpening. */
export async function writeInstalls(installs: readonly InstallRow[], transaction: Transaction): Promise<void> {
  await upsertRows(Install, installs, { key: ['projectId', 'installId'], keeps: ['id'], transaction });
}

/** Conditions on the installs of a project; null is none. */
export interface InstallConditions {
  projectId: string;
  linkId: string | null;
  /** An `ins_…` id, or the range of UUIDs that begin with what was searched for; `isCommon`: many do. */
  search: { id: string } | { from: string; to: string; isCommon: boolean } | null;
  /** Installs with one of these platforms and one of these methods; null: with any. */
  platforms: readonly Install['platform'][] | null;
  methods: readonly MatchMethod[] | null;
  /** Inclusive. */
  createdAfter: Date | null;
  /** Exclusive. */
  createdBefore: Date | null;
}

export const NEWEST_INSTALLS: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'DESC' };

const PLATFORMS: readonly Install['platform'][] = ['ios', 'android', 'web'];
/** The methods of installs that matched. */
export const MATCHED: readonly MatchMethod[] = ['link', 'referrer', 'clipboard', 'probabilistic'];

/**
 * Up to `count` installs after a position, newest first. Filters by platform and method are answered group by group: an
 * index has the installs of each platform and method in the order of the list, so a rare group costs as little as a common one.
 */
export async function readInstalls(
  conditions: InstallConditions,
  after: KeysetPosition | null,
  count: number,
): Promise<Install[]> {
  const found = await buildQuery<{ id: string }>((bind) => {
    const sources = groupsOf(conditions).map((group) => sourceOf(conditions, group, bind, { inOrder: true }));
    return idsOfSources(NEWEST_INSTALLS, sources, after, count, bind);
  });
  const rows = new Map((await readRowsByIds(Install, ids(found))).map((row) => [row.id, row]));
  return ids(found).flatMap((id) => rows.get(id) ?? []);
}

/** Counts installs by platform or by the method of their match, most first; without `groupBy` in one group without a key. */
export async function countInstallRows(
  conditions: InstallConditions,
  groupBy: 'method' | 'platform' | null,
): Promise<{ key: string | null; count: number }[]> {
  const rows = await buildQuery<{ key: string | null; count: number }>((bind) => {
    const from = sourceOf(conditions, { platforms: conditions.platforms, methods: conditions.methods }, bind);
    if (!groupBy) return `SELECT NULL AS key, COUNT(*) AS count FROM ${from}`;
    return `SELECT ${groupBy} AS key, COUNT(*) AS count FROM ${from} GROUP BY ${groupBy} ORDER BY COUNT(*) DESC, ${groupBy}`;
  });
  return rows.map(({ key, count }) => ({ key, count: Number(count) }));
}

type Group = Pick<InstallConditions, 'platforms' | 'methods'>;

/** The groups of a list that is filtered by platform or method, each in the order of an index; else everything at once. */
function groupsOf({ search, platforms, methods }: InstallConditions): Group[] {
  const isUngrouped = platforms === null && methods === null;
  if (isUngrouped || (search && !isCommon(search))) return [{ platforms, methods }];
  return (platforms ?? PLATFORMS).flatMap((platform) =>
    (methods ?? [...MATCHED, 'none' as const]).map((method) => ({ platforms: [platform], methods: [method] })),
  );
}

/** A list finds installs with a common beginning soonest among its first rows; a count looks all of them up. */
function isCommon(search: NonNullable<InstallConditions['search']>): boolean {
  return 'isCommon' in search && search.isCommon;
}

/** FROM and WHERE of the installs of a group; further conditions follow with AND. `inOrder`: the first rows are wanted. */
function sourceOf(
  conditions: InstallConditions,
  { platforms, methods }: Group,
  bind: Bind,
  { inOrder = false } = {},
): string {
  const { projectId, linkId, search, createdAfter, createdBefore } = conditions;
  const isProject = `project_id = ${bind(projectId)}`;
  const tests = [
    ...(linkId === null ? [] : [`link_id = ${bind(linkId)}`]),
    ...(platforms ? [oneOf('platform', platforms, bind)] : []),
    ...(methods ? [oneOf('method', methods, bind)] : []),
    ...(createdAfter ? [`created_at >= ${bind(sqlTime(createdAfter.getTime()))}`] : []),
    ...(createdBefore ? [`created_at < ${bind(sqlTime(createdBefore.getTime()))}`] : []),
  ];
  if (search && 'id' in search)
    return `installs WHERE ${[`id = ${bind(search.id)}`, isProject, ...tests].join(' AND ')}`;
  if (search && inOrder && isCommon(search)) {
    tests.push(`${withoutIndex('install_id')} BETWEEN ${bind(search.from)} AND ${bind(search.to)}`);
  } else if (search) {
    const from = withIndex('installs', 'installs_project_id_install_id');
    const where = `${isProject} AND install_id BETWEEN ${bind(search.from)} AND ${bind(search.to)}`;
    return [lookedUpFirst('installs', { from, where }), ...tests].join(' AND ');
  }
  return `installs WHERE ${[isProject, ...tests].join(' AND ')}`;
}

/** A single value as an equality, which lets an index on it keep the order of its other columns. */
function oneOf(column: string, values: readonly string[], bind: Bind): string {
  return values.length === 1 ? `${column} = ${bind(values[0])}` : `${column} IN (${values.map(bind).join(', ')})`;
}

function ids(rows: readonly { id: string }[]): string[] {
  return rows.map(({ id }) => id);
}
