import { setTimeout as delay } from 'node:timers/promises';
import { isStoreShared } from '../db/connection/database.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { nameOfJournal } from './lost/journalFolder.ts';
import { lostBefore } from './lost/journalStore.ts';

/** A drain of this process. */
interface OwnDrain {
  drainNow(): Promise<void>;
  /** When the last run began that emptied the journal. */
  drainedUntilMs: number;
}

/** By the folder of its journal; `notedMs`: the progress that other processes know of. */
const ownDrains = new Map<string, OwnDrain & { notedMs: number }>();

/** How often a process records its progress. */
const NOTE_MS = 30_000;
/** Longest wait for the own journal: in a flood, or while the store is down, it does not become empty. */
const DRAIN_MS = 5000;
/** Longest wait for other processes, after which their clicks are no longer worth waiting for. */
const PATIENCE_MS = 45 * 60_000;

/** Age at which the record of a dead process is ignored and deleted. */
const FORGOTTEN_MS = 86_400_000;

/**
 * The time before which all clicks are in the store. This process drains its own journal first; others have recorded their
 * progress. Processes that have not been heard of for ten minutes are left out: an alert says that their clicks are lost. In
 * any case it is at most 45 minutes ago: a process that cannot move its clicks must not hide for longer what went wrong.
 */
export async function storedUntil(): Promise<number> {
  const asked = clock.now();
  let until = asked;
  for (const drain of ownDrains.values()) {
    await Promise.race([drain.drainNow(), delay(DRAIN_MS, null, { ref: false })]);
    until = Math.min(until, drain.drainedUntilMs);
  }
  if (isStoreShared()) {
    const names = [...ownDrains.keys()].map(nameOfJournal);
    const rows = await queryRaw<{ name: string; drained_until: string | Date }>(
      `SELECT name, drained_until FROM click_drains WHERE drained_until > $1
         AND name NOT IN (SELECT name FROM click_journals WHERE missing_at <= $2) ORDER BY name`,
      [sqlTime(asked - FORGOTTEN_MS), lostBefore()],
    );
    for (const row of rows)
      if (!names.includes(row.name)) until = Math.min(until, new Date(row.drained_until).getTime());
  }
  return Math.max(until, asked - PATIENCE_MS);
}

export function registerDrain(folder: string, drainNow: () => Promise<void>): void {
  ownDrains.set(folder, { drainNow, drainedUntilMs: Number.NEGATIVE_INFINITY, notedMs: Number.NEGATIVE_INFINITY });
}

/** Records that all clicks before `untilMs` have left the journal, for other processes too; with SQLite there are none. */
export async function recordDrained(folder: string, untilMs: number): Promise<void> {
  const drain = ownDrains.get(folder);
  if (!drain) return;
  drain.drainedUntilMs = untilMs;
  if (!isStoreShared() || Math.abs(untilMs - drain.notedMs) < NOTE_MS) return;
  drain.notedMs = untilMs;
  await inTransaction((transaction) =>
    queryRaw(
      `INSERT INTO click_drains (name, drained_until) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET drained_until = excluded.drained_until`,
      [nameOfJournal(folder), sqlTime(untilMs)],
      transaction,
    ),
  );
}

/** The process stops. `isEmpty`: its journal is empty, so others need not wait for it. Records older than a day go too. */
export async function unregisterDrain(folder: string, isEmpty: boolean): Promise<void> {
  if (!ownDrains.delete(folder) || !isEmpty || !isStoreShared()) return;
  const dayAgo = sqlTime(clock.now() - FORGOTTEN_MS);
  await inTransaction((transaction) =>
    queryRaw(
      'DELETE FROM click_drains WHERE name = $1 OR drained_until < $2',
      [nameOfJournal(folder), dayAgo],
      transaction,
    ),
  );
}
