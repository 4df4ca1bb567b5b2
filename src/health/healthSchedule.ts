import { createHash } from 'node:crypto';
import { ofLiveProject } from '../access/notDeleted.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { claimDue, type DueRows, type LeasedTable, releaseLeases } from '../db/lease.ts';
import { ofStore } from '../db/ofStore.ts';
import { queryRaw } from '../db/query.ts';
import { type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { HealthTurn } from '../models/HealthTurn.ts';

/** A project to check now, with the lease of the process that claimed it. */
export interface DueProject {
  projectId: string;
  dueAt: Date;
  leaseUntil: Date;
}

/** The lease lasts twice as long as a run may take, because reading and writing the store takes time too. */
export const HEALTH_LEASES: LeasedTable = {
  table: 'health_turns',
  key: 'project_id',
  due: 'due_at',
  until: 'lease_until',
  leaseMs: () => config.healthRunSeconds * 2000,
};

/** Deleted projects are not checked, and are due at once when they are restored. */
export const CHECKED: DueRows = { where: ofLiveProject('health_turns.project_id') };

/** Claims the project whose check has been due longest. Returns null if none is due. */
export async function claimDueProject(): Promise<DueProject | null> {
  const [claimed] = await claimDue<{ due_at: string | Date }>(HEALTH_LEASES, {
    ...CHECKED,
    limit: 1,
    returning: ['due_at'],
  });
  if (!claimed) return null;
  return { projectId: claimed.key, dueAt: new Date(claimed.due_at), leaseUntil: new Date(claimed.untilMs) };
}

/** Records the end of a run. If the run was scheduled (`held`), also sets when the next one is due. */
export async function endRun(
  projectId: string,
  held: DueProject | null,
  at: Date,
  transaction: Transaction,
): Promise<void> {
  if (held) {
    const dueAt = new Date(nextDue(held.dueAt.getTime(), at.getTime(), config.healthCheckSeconds * 1000));
    // No row matches if the lease expired and another process claimed the project.
    const mine = { projectId, leaseUntil: held.leaseUntil };
    const [ended] = await HealthTurn.update({ ranAt: at, dueAt, leaseUntil: null }, { where: mine, transaction });
    if (ended > 0) return;
  }
  await scheduleProjects([projectId], transaction);
  await HealthTurn.update({ ranAt: at }, { where: { projectId }, transaction });
}

/** Releases the lease of a project that was not checked; it stays due. */
export async function releaseProject({ projectId, leaseUntil }: DueProject): Promise<void> {
  await releaseLeases(HEALTH_LEASES, [{ key: projectId, untilMs: leaseUntil.getTime() }]);
}

/** Projects that one scan reads: a page of all projects, and the newest ones. */
const PAGE = 2000;
const NEWEST = 500;

/** The scan over all projects; each process has its own. */
class ScheduleScan {
  /** The id where it continues. */
  #scannedTo = '';

  async next(): Promise<void> {
    // A subquery rather than a join: for a join, PostgreSQL might read both tables completely.
    const lacking = (projects: string) =>
      `SELECT id, (SELECT project_id FROM health_turns WHERE project_id = p.id) AS turn FROM (${projects}) AS p`;
    const newest = await queryRaw<Row>(
      lacking(`SELECT id FROM projects WHERE deletion_at IS NULL ORDER BY id DESC LIMIT ${NEWEST}`),
      [],
    );
    const page = await queryRaw<Row>(
      lacking(`SELECT id FROM projects WHERE id > $1 AND deletion_at IS NULL ORDER BY id LIMIT ${PAGE}`),
      [this.#scannedTo],
    );
    this.#scannedTo = page.length < PAGE ? '' : (page.at(-1)?.id ?? '');
    const far = await queryRaw<{ id: string }>(
      `SELECT project_id AS id FROM health_turns WHERE due_at > $1 ORDER BY due_at LIMIT ${PAGE}`,
      [sqlTime(latestDue())],
    );
    const without = [...newest, ...page].filter(({ turn }) => turn === null);
    const ids = new Set([...without, ...far].map(({ id }) => id));
    if (ids.size > 0) await inTransaction((transaction) => scheduleProjects([...ids], transaction));
  }
}

const scan = ofStore(() => new ScheduleScan());

/**
 * Schedules projects that have no schedule: the newest at once, the others page by page, so that none is missed however it
 * was created. Also reschedules projects whose next check is too far ahead because the clock or HEALTH_CHECK_SECONDS changed.
 */
export function scheduleMissing(): Promise<void> {
  return scan().next();
}

interface Row {
  id: string;
  turn: string | null;
}

/** Schedules these projects. Projects with a plausible due time keep it. */
async function scheduleProjects(projectIds: readonly string[], transaction: Transaction): Promise<void> {
  const nowMs = clock.now();
  await withJsonRows(
    { project_id: 'text', due_at: 'time' },
    projectIds.map((id) => [id, sqlTime(firstDue(id, nowMs, config.healthCheckSeconds * 1000))]),
    `INSERT INTO health_turns (project_id, due_at) SELECT project_id, due_at FROM given WHERE true
     ON CONFLICT (project_id) DO UPDATE SET due_at = excluded.due_at WHERE health_turns.due_at > $2`,
    transaction,
    [sqlTime(latestDue())],
  );
}

/** The latest plausible due time: an interval ahead, and another one because the clocks of processes differ. */
function latestDue(): number {
  return clock.now() + 2 * config.healthCheckSeconds * 1000;
}

/** The first due time from now on, in milliseconds. It is derived from the project's id, so that projects spread over the interval. */
export function firstDue(projectId: string, nowMs: number, intervalMs: number): number {
  const phase = createHash('sha256').update(projectId).digest().readUIntBE(0, 6) % intervalMs;
  const due = nowMs - (nowMs % intervalMs) + phase;
  return due < nowMs ? due + intervalMs : due;
}

/** The first time after now that is a whole number of intervals after `dueMs`, in milliseconds. Missed runs are skipped. */
export function nextDue(dueMs: number, nowMs: number, intervalMs: number): number {
  const missed = Math.max(0, Math.floor((nowMs - dueMs) / intervalMs));
  return dueMs + (missed + 1) * intervalMs;
}
