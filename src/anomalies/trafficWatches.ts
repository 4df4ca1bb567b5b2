import { ofLiveProject } from '../access/notDeleted.ts';
import { dialect } from '../db/connection/database.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { claimDue, type LeasedTable, releaseLeases } from '../db/lease.ts';
import { queryRaw } from '../db/query.ts';
import { type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { HOUR_MS } from './decide/Track.ts';

/** A project whose traffic this process looks at for a while. */
export interface Watch {
  projectId: string;
  /** The first hour that was not looked at. */
  fromHour: number;
  isThin: boolean;
  leaseUntilMs: number;
}

/** The first look at a project reads weeks of clicks. */
const LEASE_MS = 10 * 60_000;

const LEASES: LeasedTable = {
  table: 'traffic_watches',
  key: 'project_id',
  due: 'watched_until',
  until: 'lease_until',
  leaseMs: () => LEASE_MS,
};

/** Projects claimed at once. */
const BATCH = 20;
/** The most new projects that are added at a time. */
const NEW_BATCH = 500;

/** Claims projects that have hours before `dueHour` to be looked at, those that wait longest first. */
export async function claimWatches(dueHour: number): Promise<Watch[]> {
  const rows = await claimDue<{ watched_until: string | Date; is_thin: boolean | number }>(LEASES, {
    where: ofLiveProject('traffic_watches.project_id'),
    limit: BATCH,
    // One that was watched until this very hour has nothing to be looked at.
    dueAtMs: dueHour * HOUR_MS - 1,
    returning: ['watched_until', 'is_thin'],
  });
  return rows.map(({ key, untilMs, watched_until, is_thin }) => ({
    projectId: key,
    fromHour: Math.floor(new Date(watched_until).getTime() / HOUR_MS),
    isThin: Boolean(is_thin),
    leaseUntilMs: untilMs,
  }));
}

/** Releases claimed projects: another process may claim them at once. */
export async function releaseWatches(watches: readonly Watch[]): Promise<void> {
  await releaseLeases(
    LEASES,
    watches.map(({ projectId, leaseUntilMs }) => ({ key: projectId, untilMs: leaseUntilMs })),
  );
}

/** Projects that are not looked at yet are from now on; and those again that were looked at when the clock was ahead. */
export async function admitProjects(dueHour: number): Promise<void> {
  const due = sqlTime(dueHour * HOUR_MS);
  const [ahead] = await queryRaw('SELECT 1 AS one FROM traffic_watches WHERE watched_until > $1 LIMIT 1', [
    sqlTime((dueHour + 2) * HOUR_MS),
  ]);
  const unknown = `FROM projects WHERE deletion_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM traffic_watches WHERE traffic_watches.project_id = projects.id)`;
  const [added] = await queryRaw(`SELECT 1 AS one ${unknown} LIMIT 1`, []);
  if (!ahead && !added) return;
  await inTransaction(async (transaction) => {
    await queryRaw(
      'UPDATE traffic_watches SET watched_until = $1, lease_until = NULL WHERE watched_until > $2',
      [due, sqlTime((dueHour + 2) * HOUR_MS)],
      transaction,
    );
    await queryRaw(
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
  const rows = await queryRaw(
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
