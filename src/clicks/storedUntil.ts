import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';

/** What of a drain is asked for. */
interface OwnDrain {
  drainNow(): Promise<void>;
  /** When the last run began that left nothing. */
  drainedUntilMs: number;
}

/** Drains of this process by their folders. */
const own = new Map<string, OwnDrain & { notedMs: number }>();

/** How often a process notes how far it has come. */
const NOTE_MS = 30_000;
/** In a flood, or when the store does not answer, it is not waited for the end of the journal. */
const DRAIN_MS = 5000;
/** A process that was not heard of for so long has died, or its clicks are not worth waiting for any longer. */
const PATIENCE_MS = 45 * 60_000;

/** What a process left that died for good holds nobody up after so long. */
const FORGOTTEN_MS = 86_400_000;

/**
 * The moment before which all clicks are in the store: this process moves its own there first, others have noted how far
 * they are. Nobody is waited for longer than 45 minutes: a dead process would keep everybody from seeing what it broke.
 */
export async function storedUntil(): Promise<number> {
  const asked = clock.now();
  let until = asked;
  for (const drain of own.values()) {
    await Promise.race([drain.drainNow(), delay(DRAIN_MS, null, { ref: false })]);
    until = Math.min(until, drain.drainedUntilMs);
  }
  if (dialect() === 'postgres') {
    const names = [...own.keys()].map(nameOf);
    const rows = await selectBound<{ name: string; drained_until: string | Date }>(
      'SELECT name, drained_until FROM click_drains WHERE drained_until > $1 ORDER BY name',
      [sqlTime(asked - FORGOTTEN_MS)],
    );
    for (const row of rows)
      if (!names.includes(row.name)) until = Math.min(until, new Date(row.drained_until).getTime());
  }
  return Math.max(until, asked - PATIENCE_MS);
}

export function noteDrain(folder: string, drainNow: () => Promise<void>): void {
  own.set(folder, { drainNow, drainedUntilMs: Number.NEGATIVE_INFINITY, notedMs: Number.NEGATIVE_INFINITY });
}

/** Everything that came to the journal before `untilMs` is in the store. Other processes hear of it: SQLite has none. */
export async function noteDrained(folder: string, untilMs: number): Promise<void> {
  const drain = own.get(folder);
  if (!drain) return;
  drain.drainedUntilMs = untilMs;
  if (dialect() === 'sqlite' || Math.abs(untilMs - drain.notedMs) < NOTE_MS) return;
  drain.notedMs = untilMs;
  await inTransaction((transaction) =>
    selectBound(
      `INSERT INTO click_drains (name, drained_until) VALUES ($1, $2)
       ON CONFLICT (name) DO UPDATE SET drained_until = excluded.drained_until`,
      [nameOf(folder), sqlTime(untilMs)],
      transaction,
    ),
  );
}

/** The process stops; `isEmpty`: nothing of its is left to wait for. Forgets those, too, that were not heard of for a day. */
export async function forgetDrain(folder: string, isEmpty: boolean): Promise<void> {
  if (!own.delete(folder) || !isEmpty || dialect() === 'sqlite') return;
  const dayAgo = sqlTime(clock.now() - FORGOTTEN_MS);
  await inTransaction((transaction) =>
    selectBound(
      'DELETE FROM click_drains WHERE name = $1 OR drained_until < $2',
      [nameOf(folder), dayAgo],
      transaction,
    ),
  );
}

function nameOf(folder: string): string {
  return createHash('sha256').update(`${hostname()} ${folder}`).digest('base64url').slice(0, 22);
}
