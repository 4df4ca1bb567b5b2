import { LRUCache } from 'lru-cache';
import { withJsonRows } from '../db/jsonRows.ts';
import { lockNames } from '../db/lockNames.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { config } from '../kernel/config.ts';
import { dayOf } from '../kernel/durations.ts';

/** What events are counted as whose name came after the last place of its project was taken. */
export const OTHER_EVENTS = 'other';

/** A name that has not come for so long gives up its place. */
const UNUSED_DAYS = 30;
/** So long after a project was found to be full, new names are not looked at. */
const FULL_MS = 60_000;

/** What this process knows of a project's names. */
interface Names {
  /** The last UTC day on which a name is noted to have come. */
  usedOn: Map<string, number>;
  /** Milliseconds of the monotonic clock. */
  fullUntil: number;
}

const remembered = new LRUCache<string, Names>({ max: 1000 });

/** An event as it comes. */
interface Named {
  projectId: string;
  name: string;
}

/**
 * What events are counted as: gives null for those that are counted by their own name. A name takes a place of its
 * project when it first comes, and it is noted once a day that it still does: nothing is asked for names that have come
 * today.
 */
export async function countedNames(
  events: readonly Named[],
  atMs: number,
  transaction: Transaction,
): Promise<(event: Named) => typeof OTHER_EVENTS | null> {
  const today = dayOf(atMs);
  const byProject = Map.groupBy(events, ({ projectId }) => projectId);
  const names = new Map<string, ReadonlyMap<string, number>>();
  for (const projectId of [...byProject.keys()].sort()) {
    const wanted = new Set(byProject.get(projectId)?.map(({ name }) => name));
    names.set(projectId, await namesOf(projectId, wanted, today, transaction));
  }
  return ({ projectId, name }) => (names.get(projectId)?.has(name) ? null : OTHER_EVENTS);
}

async function namesOf(
  projectId: string,
  wanted: ReadonlySet<string>,
  today: number,
  transaction: Transaction,
): Promise<ReadonlyMap<string, number>> {
  const known = remembered.get(projectId);
  const isFull = known !== undefined && performance.now() < known.fullUntil;
  const isNoted = (name: string) => known?.usedOn.get(name) === today || (isFull && !known.usedOn.has(name));
  if (known && [...wanted].every(isNoted)) return known.usedOn;
  const read = await note(projectId, wanted, today, transaction);
  transaction.afterCommit(() => {
    remembered.set(projectId, read);
  });
  return read.usedOn;
}

async function note(
  projectId: string,
  wanted: ReadonlySet<string>,
  today: number,
  transaction: Transaction,
): Promise<Names> {
  await lockNames([`${projectId} names of events`], transaction);
  const usedOn = await readNames(projectId, transaction);
  const fresh = [...wanted].filter((name) => !usedOn.has(name));
  if (usedOn.size + fresh.length > config.eventNamesPerProject) {
    await freePlaces(projectId, usedOn, today - UNUSED_DAYS, transaction);
  }
  const room = Math.max(0, config.eventNamesPerProject - usedOn.size);
  const used = [...wanted].filter((name) => usedOn.has(name) && usedOn.get(name) !== today);
  const noted = [...used, ...fresh.slice(0, room)];
  await withJsonRows(
    { project_id: 'text', name: 'text', used_on: 'integer' },
    noted.map((name) => [projectId, name, today]),
    `INSERT INTO event_names (project_id, name, used_on) SELECT project_id, name, used_on FROM given WHERE true
     ON CONFLICT (project_id, name) DO UPDATE SET used_on = excluded.used_on`,
    transaction,
  );
  for (const name of noted) usedOn.set(name, today);
  const isFull = usedOn.size >= config.eventNamesPerProject;
  return { usedOn, fullUntil: isFull ? performance.now() + FULL_MS : 0 };
}

async function readNames(projectId: string, transaction: Transaction): Promise<Map<string, number>> {
  const rows = await selectBound<{ name: string; used_on: number }>(
    'SELECT name, used_on FROM event_names WHERE project_id = $1',
    [projectId],
    transaction,
  );
  return new Map(rows.map(({ name, used_on }) => [name, used_on]));
}

async function freePlaces(
  projectId: string,
  usedOn: Map<string, number>,
  before: number,
  transaction: Transaction,
): Promise<void> {
  const sql = 'DELETE FROM event_names WHERE project_id = $1 AND used_on < $2';
  await selectBound(sql, [projectId, before], transaction);
  for (const [name, day] of usedOn) if (day < before) usedOn.delete(name);
}
