import { among, amongValue } from '../db/among.ts';
import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { HOUR_MS } from './Track.ts';

/** A project whose traffic this process looks at for a while. */
export interface Watch {
  projectId: string;
  /** The first hour that was not looked at. */
  fromHour: number;
  isThin: boolean;
}

/** So long others leave a project to whoever claimed it; the first look reads weeks of clicks. */
const LEASE_MS = 10 * 60_000;
/** Projects claimed at once. */
const BATCH = 20;
/** Projects that are new here are taken in by so many. */
const NEW_BATCH = 500;

/** Claims projects that have hours before `dueHour` to be looked at, those that wait longest first. */
export async function claimWatches(dueHour: number): Promise<Watch[]> {
  const due = sqlTime(dueHour * HOUR_MS);
  const at = clock.now();
  const isDue = 'watched_until < $1 AND (lease_until IS NULL OR lease_until <= $2)';
  // Asked outside a transaction first: mostly there is none, and on SQLite transactions wait for each other.
  const [one] = await selectBound(`SELECT 1 AS one FROM traffic_watches WHERE ${isDue} LIMIT 1`, [due, sqlTime(at)]);
  if (!one) return [];
  const rows = await inTransaction(async (transaction) => {
    const found = await selectBound<{ project_id: string }>(
      `SELECT project_id FROM traffic_watches WHERE ${isDue} ORDER BY watched_until LIMIT ${BATCH}
       ${dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}`,
      [due, sqlTime(at)],
      transaction,
    );
    return selectBound<{ project_id: string; watched_until: string | Date; is_thin: boolean | number }>(
      `UPDATE traffic_watches SET lease_until = $1 WHERE ${among('project_id', '$2')}
       RETURNING project_id, watched_until, is_thin`,
      [sqlTime(at + LEASE_MS), amongValue(found.map(({ project_id }) => project_id))],
      transaction,
    );
  });
  return rows.map(({ project_id, watched_until, is_thin }) => ({
    projectId: project_id,
    fromHour: Math.floor(new Date(watched_until).getTime() / HOUR_MS),
    isThin: Boolean(is_thin),
  }));
}

/** Leaves projects that were claimed to others at once. */
export async function releaseWatches(watches: readonly Watch[]): Promise<void> {
  await inTransaction((transaction) =>
    selectBound(
      `UPDATE traffic_watches SET lease_until = NULL WHERE ${among('project_id', '$1')}`,
      [amongValue(watches.map(({ projectId }) => projectId))],
      transaction,
    ),
  );
}

/** Projects that are not looked at yet are from now on; and those again that were looked at when the clock was ahead. */
export async function admitProjects(dueHour: number): Promise<void> {
  const due = sqlTime(dueHour * HOUR_MS);
  const [ahead] = await selectBound('SELECT 1 AS one FROM traffic_watches WHERE watched_until > $1 LIMIT 1', [
    sqlTime((dueHour + 2) * HOUR_MS),
  ]);
  const unknown = `FROM projects WHERE NOT EXISTS (SELECT 1 FROM traffic_watches WHERE traffic_watches.project_id = projects.id)`;
  const [added] = await selectBound(`SELECT 1 AS one ${unknown} LIMIT 1`, []);
  if (!ahead && !added) return;
  await inTransaction(async (transaction) => {
    await selectBound(
      'UPDATE traffic_watches SET watched_until = $1, lease_until = NULL WHERE watched_until > $2',
      [due, sqlTime((dueHour + 2) * HOUR_MS)],
      transaction,
    );
    await selectBound(
      `INSERT INTO traffic_watches (project_id, watched_until, is_thin) SELECT id, ${timeParameter()}, false ${unknown}
       LIMIT ${NEW_BATCH} ON CONFLICT (project_id) DO NOTHING`,
      [due],
      transaction,
    );
  });
}

function timeParameter(): string {
  return dialect() === 'postgres' ? 'CAST($1 AS TIMESTAMPTZ)' : '$1';
}

/** The project was looked at up to `untilHour`. False: somebody else did so meanwhile, and nothing of this may stay. */
export async function passHours(
  { projectId, fromHour }: Watch,
  untilHour: number,
  isThin: boolean,
  transaction: Transaction,
): Promise<boolean> {
  const rows = await selectBound(
    `UPDATE traffic_watches SET watched_until = $1, lease_until = NULL, is_thin = $2
     WHERE project_id = $3 AND watched_until = $4 RETURNING project_id`,
    [
      sqlTime(untilHour * HOUR_MS),
      dialect() === 'sqlite' ? Number(isThin) : isThin,
      projectId,
      sqlTime(fromHour * HOUR_MS),
    ],
    transaction,
  );
  return rows.length > 0;
}
