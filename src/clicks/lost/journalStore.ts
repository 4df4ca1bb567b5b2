import { isStoreShared } from '../../db/connection/database.ts';
import { castTo, inList, inListValue } from '../../db/dialects.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import type { LeasedTable } from '../../db/lease.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock } from '../../kernel/clock.ts';
import { forgetShares } from '../shareStore.ts';

/** How often a process says that it is there: a few times within MISSED_MS, and rarely enough for hundreds of processes. */
export const REPORT_MS = 30_000;
/** Silence from which on a process counts as missing: three reports. */
const MISSED_MS = 3 * REPORT_MS;
/** Silence from which on its clicks count as lost. A restart, also on another machine, takes less. */
export const LOST_MS = 10 * 60_000;

/** What a process says about its journal. Times are in milliseconds. */
export interface JournalReport {
  name: string;
  host: string;
  folder: string;
  bytes: number;
  /** When the oldest click that is not in the store was made; null: there is none. */
  oldestMs: number | null;
}

/** A journal whose process has been silent for LOST_MS. */
export interface LostJournal extends JournalReport {
  heardMs: number;
  wasAlerted: boolean;
}

/** While journals are moved, `lease_until` says until when; `name` is then that of the folder. */
export const JOURNAL_LEASES: LeasedTable = {
  table: 'click_journals',
  key: 'name',
  until: 'lease_until',
  due: 'lease_until',
  leaseMs: () => 10 * 60_000,
};

/** Records what a process says; it is not missing any more. */
export async function recordReport({ name, host, folder, bytes, oldestMs }: JournalReport): Promise<void> {
  const values = [name, host, folder, sqlTime(clock.now()), bytes, oldestMs === null ? null : sqlTime(oldestMs)];
  await inTransaction((transaction) =>
    queryRaw(
      `INSERT INTO click_journals (name, host, folder, heard_at, bytes, oldest_at)
       VALUES ($1, $2, $3, ${castTo('time', '$4')}, $5, ${castTo('time', '$6')})
       ON CONFLICT (name) DO UPDATE SET host = excluded.host, folder = excluded.folder, heard_at = excluded.heard_at,
         bytes = excluded.bytes, oldest_at = excluded.oldest_at, missing_at = NULL, alerted_at = NULL`,
      values,
      transaction,
    ),
  );
}

/** Forgets a journal: its process has moved all clicks and stops, or its clicks were moved for it. Its shares are free. */
export async function forgetJournal(name: string, transaction: Transaction): Promise<void> {
  await queryRaw('DELETE FROM click_journals WHERE name = $1', [name], transaction);
  await queryRaw('DELETE FROM click_drains WHERE name = $1', [name], transaction);
  await forgetShares(name, transaction);
}

/** Whether there is a process whose silence has to be judged. */
export async function hasSilentJournals(): Promise<boolean> {
  if (!isStoreShared()) return false;
  const before = sqlTime(clock.now() - MISSED_MS);
  return (await queryRaw('SELECT 1 AS one FROM click_journals WHERE heard_at < $1 LIMIT 1', [before])).length > 0;
}

/**
 * Marks processes that have become silent. Silence is measured from the first sweep that finds it, not from the last report:
 * when the store itself was away, nobody could report, and every process gets the time to do so again. `own`: journals of this
 * process, which is there even if its clock has jumped since it reported.
 */
export async function markMissing(own: Iterable<string>): Promise<void> {
  const now = clock.now();
  await inTransaction((transaction) =>
    queryRaw(
      `UPDATE click_journals SET missing_at = $1
       WHERE missing_at IS NULL AND heard_at < $2 AND NOT (${inList('name', '$3')})`,
      [sqlTime(now), sqlTime(now - MISSED_MS), inListValue([...own])],
      transaction,
    ),
  );
}

/** A time before which a process must be missing for its clicks to count as lost; for SQL of other tables too. */
export function lostBefore(): string {
  return sqlTime(clock.now() - (LOST_MS - MISSED_MS));
}

/** The journals whose process has been silent for LOST_MS. */
export async function readLost(): Promise<LostJournal[]> {
  const rows = await queryRaw<Stored>(
    `SELECT name, host, folder, bytes, oldest_at, heard_at, alerted_at FROM click_journals
      WHERE heard_at IS NOT NULL AND missing_at <= $1 ORDER BY name`,
    [lostBefore()],
  );
  return rows.map((row) => ({
    name: row.name,
    host: row.host ?? '',
    folder: row.folder ?? '',
    bytes: Number(row.bytes),
    oldestMs: row.oldest_at === null ? null : new Date(row.oldest_at).getTime(),
    heardMs: new Date(row.heard_at).getTime(),
    wasAlerted: row.alerted_at !== null,
  }));
}

interface Stored {
  name: string;
  host: string | null;
  folder: string | null;
  bytes: number | string;
  oldest_at: string | Date | null;
  heard_at: string | Date;
  alerted_at: string | Date | null;
}

/** Notes that the alert of a journal is raised. Returns false when another process has done so, or its process is back. */
export async function claimAlert(name: string, transaction: Transaction): Promise<boolean> {
  const rows = await queryRaw(
    `UPDATE click_journals SET alerted_at = $2 WHERE name = $1 AND alerted_at IS NULL AND missing_at IS NOT NULL
     RETURNING name`,
    [name, sqlTime(clock.now())],
    transaction,
  );
  return rows.length > 0;
}

/** What the store knows of the process of a journal. `unknown`: it has signed off, or is of an earlier version. */
export async function stateOfProcess(name: string): Promise<'heard' | 'lost' | 'unknown'> {
  const [row] = await queryRaw<{ is_lost: unknown }>(
    `SELECT CASE WHEN missing_at <= $2 THEN 1 ELSE 0 END AS is_lost FROM click_journals
      WHERE name = $1 AND heard_at IS NOT NULL`,
    [name, lostBefore()],
  );
  if (!row) return 'unknown';
  return Number(row.is_lost) === 1 ? 'lost' : 'heard';
}

/** Forgets a journal whose clicks were moved, unless its process is back. Returns whether it did. */
export async function forgetLost(name: string, transaction: Transaction): Promise<boolean> {
  const [found] = await queryRaw<{ name: string }>(
    'SELECT name FROM click_journals WHERE name = $1 AND missing_at IS NOT NULL',
    [name],
    transaction,
  );
  if (found) await forgetJournal(name, transaction);
  return found !== undefined;
}
