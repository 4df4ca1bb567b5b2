import { LRUCache } from 'lru-cache';
import { insertInto } from '../db/jsonRows.ts';
import { ofStore } from '../db/ofStore.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { lockRow } from '../db/transactions.ts';
import { dayOf } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';

/** The name under which events are counted once their project has used up its places for names. */
export const OTHER_EVENTS = 'other';

/** A name that has not been used for this long loses its place. */
const UNUSED_DAYS = 30;
/** For this long after a project was found to be full, new names are not looked up. */
const FULL_MS = 60_000;

/** What this process remembers of a project's names. */
interface Names {
  /** By name, the last UTC day that is stored for it. */
  usedOn: Map<string, number>;
  /** Milliseconds of the monotonic clock. */
  fullUntil: number;
}

const remembered = ofStore(() => new LRUCache<string, Names>({ max: 1000 }));

interface Named {
  projectId: string;
  name: string;
}

/**
 * Returns a function that says what an event is counted as; null if it is counted under its own name. A name takes one of
 * its project's places on its first use, and its last day of use is stored. Names that have been used today need no query.
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
  const known = remembered().get(projectId);
  const isFull = known !== undefined && performance.now() < known.fullUntil;
  const isKnown = (name: string) => known?.usedOn.get(name) === today || (isFull && !known.usedOn.has(name));
  if (known && [...wanted].every(isKnown)) return known.usedOn;
  const read = await claimPlaces(projectId, wanted, today, transaction);
  transaction.afterCommit(() => {
    remembered().set(projectId, read);
  });
  return read.usedOn;
}

async function claimPlaces(
  projectId: string,
  wanted: ReadonlySet<string>,
  today: number,
  transaction: Transaction,
): Promise<Names> {
  await lockRow('projects', projectId, transaction);
  const usedOn = await readNames(projectId, transaction);
  const fresh = [...wanted].filter((name) => !usedOn.has(name));
  if (usedOn.size + fresh.length > config.eventNamesPerProject) {
    await freePlaces(projectId, usedOn, today - UNUSED_DAYS, transaction);
  }
  const room = Math.max(0, config.eventNamesPerProject - usedOn.size);
  const used = [...wanted].filter((name) => usedOn.has(name) && usedOn.get(name) !== today);
  const claimed = [...used, ...fresh.slice(0, room)];
  await insertInto(
    'event_names',
    { project_id: 'text', name: 'text', used_on: 'integer' },
    claimed.map((name) => [projectId, name, today]),
    { transaction, onConflict: 'ON CONFLICT (project_id, name) DO UPDATE SET used_on = excluded.used_on' },
  );
  for (const name of claimed) usedOn.set(name, today);
  const isFull = usedOn.size >= config.eventNamesPerProject;
  return { usedOn, fullUntil: isFull ? performance.now() + FULL_MS : 0 };
}

async function readNames(projectId: string, transaction: Transaction): Promise<Map<string, number>> {
  const rows = await queryRaw<{ name: string; used_on: number }>(
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
  await queryRaw(sql, [projectId, before], transaction);
  for (const [name, day] of usedOn) if (day < before) usedOn.delete(name);
}
