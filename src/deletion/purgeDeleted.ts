import { recordAudit } from '../audit/recordAudit.ts';
import { lockRollups } from '../clicks/backlogStore.ts';
import { clickStore } from '../clicks/chosenStore.ts';
import { announce } from '../db/announce.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { rowLock } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { recordRelease } from '../domains/rivals.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { type OwnedRows, type Owner, ROWS_OF_TEAM, rowsOfProject } from './ownedTables.ts';

/** Clocks of processes differ: what one may still restore must not be begun by another. */
const MARGIN_MS = 60_000;
/** Clicks in the journal of a process that is cut off, and work in flight, may arrive after the purge for so long. */
const ARRIVALS_DAYS = 30;
const SWEEP_MS = 3_600_000;
/** How long an owner whose purge failed waits, so that it neither delays others nor fills the log. */
const RETRY_MS = 3_600_000;
/** Projects, and teams, of one run. */
const MAX_OWNERS = 100;

/** SQL, as are those below, with the parameters of `times`: the time to restore a project or team is over. */
const OVER = 'deletion_at IS NOT NULL AND (deletion_at <= $1 OR purge_began_at IS NOT NULL)';
const NOT_PUT_OFF = '(purge_retry_at IS NULL OR purge_retry_at <= $2)';

/** Whether something is to be deleted for good, or was a while ago and is to be looked at again. */
export async function hasDeletionsToPurge(): Promise<boolean> {
  const due = `${OVER} AND ${NOT_PUT_OFF}`;
  const [row] = await queryRaw(
    `SELECT 1 AS one WHERE EXISTS (SELECT 1 FROM projects WHERE ${due}) OR EXISTS (SELECT 1 FROM teams WHERE ${due})
       OR EXISTS (SELECT 1 FROM purged_projects WHERE sweep_at <= $2)`,
    times(),
  );
  return row !== undefined;
}

/** Projects whose time is over, with all that are left of a team whose time is over. Each is decided by `beginProject`. */
export function projectsToPurge(): Promise<Owner[]> {
  return queryRaw<Owner>(
    `SELECT id, team_id AS "teamId" FROM projects
     WHERE ((${OVER}) OR team_id IN (SELECT id FROM teams WHERE ${OVER})) AND ${NOT_PUT_OFF} ORDER BY id LIMIT ${MAX_OWNERS}`,
    times(),
  );
}

/** Teams whose time is over and that have no projects any more. Each is decided by `beginTeam`. */
export function teamsToPurge(): Promise<Owner[]> {
  return queryRaw<Owner>(
    `SELECT id, id AS "teamId" FROM teams WHERE ${OVER} AND ${NOT_PUT_OFF}
       AND NOT EXISTS (SELECT 1 FROM projects WHERE projects.team_id = teams.id) ORDER BY id LIMIT ${MAX_OWNERS}`,
    times(),
  );
}

/** Purged projects in which something may have arrived since. */
export async function projectsToSweep(): Promise<Owner[]> {
  const rows = await queryRaw<{ id: string }>(
    `SELECT id FROM purged_projects WHERE sweep_at <= $1 ORDER BY sweep_at LIMIT ${MAX_OWNERS}`,
    [sqlTime(clock.now())],
  );
  return rows.map(({ id }) => ({ id, teamId: '' }));
}

/**
 * Marks a project, so that it cannot be restored any more, if its time is still over. A clock that was ahead may have been
 * set right, and somebody may have restored it, since it was listed. Returns whether its purge may go on.
 */
export async function beginProject({ id, teamId }: Owner): Promise<boolean> {
  return inTransaction(async (transaction) => {
    // A project that was deleted with its team is restored with it: the team is marked before.
    await markTeam(teamId, transaction);
    const marked = await queryRaw(
      `UPDATE projects SET purge_began_at = COALESCE(purge_began_at, $2) WHERE id = $3 AND (purge_began_at IS NOT NULL
         OR (deletion_at <= $1 AND deleted_with_team = false)
         OR EXISTS (SELECT 1 FROM teams WHERE teams.id = projects.team_id AND teams.purge_began_at IS NOT NULL))
       RETURNING id`,
      [...times(), id],
      transaction,
    );
    return marked.length > 0;
  });
}

/** The same for a team. */
export async function beginTeam({ id }: Owner): Promise<boolean> {
  return inTransaction((transaction) => markTeam(id, transaction));
}

async function markTeam(id: string, transaction: Transaction): Promise<boolean> {
  const sql = `UPDATE teams SET purge_began_at = COALESCE(purge_began_at, $2) WHERE id = $3 AND ${OVER} RETURNING id`;
  return (await queryRaw(sql, [...times(), id], transaction)).length > 0;
}

/** Whether something has arrived in a purged project. Otherwise it is looked at again later. */
export async function beginSweep(project: Owner): Promise<boolean> {
  if (await hasRows(project, rowsOfProject(clock.now()))) return true;
  if (await clickStore().hasClicksOutside(project.id)) return true;
  await putOffSweep(project.id);
  return false;
}

/** Lets an owner wait whose purge failed. A sweep is put off too, but not forgotten, because something may be left. */
export async function putOff(table: 'projects' | 'teams' | 'purged_projects', { id }: Owner): Promise<void> {
  const column = table === 'purged_projects' ? 'sweep_at' : 'purge_retry_at';
  const values = [id, sqlTime(clock.now() + RETRY_MS)];
  await inTransaction((transaction) =>
    queryRaw(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, values, transaction),
  );
}

/** The purges of a project, each of which deletes up to `batch` rows and returns whether there may be more. */
export function purgesOfProject(project: Owner): ((batch: number) => Promise<boolean>)[] {
  const rows = rowsOfProject(clock.now()).map((some) => purgeOf(some, project));
  const clicks = async () => {
    await clickStore().forgetProject(project.id);
    return false;
  };
  return [...rows, clicks];
}

/** The same for a team. */
export function purgesOfTeam(team: Owner): ((batch: number) => Promise<boolean>)[] {
  return ROWS_OF_TEAM.map((rows) => purgeOf(rows, team));
}

/**
 * Deletes the row of a project whose purge has begun and that has nothing else left, with its domains, and frees their names.
 * Returns false when something has arrived meanwhile: the purges have to run again.
 */
export async function endProject({ id, teamId }: Owner): Promise<boolean> {
  return inTransaction(async (transaction) => {
    // Whoever builds blocks holds this lock. Clicks that are stored later are swept later.
    await lockRollups([id], transaction);
    // Domains before projects, as everywhere.
    await queryRaw(
      `SELECT id FROM domains WHERE project_id = $1 ORDER BY id ${rowLock('FOR UPDATE')}`,
      [id],
      transaction,
    );
    const [project] = await queryRaw<{ name: string; with_team: boolean | number }>(
      `SELECT name, deleted_with_team AS with_team FROM projects
       WHERE id = $1 AND purge_began_at IS NOT NULL ${rowLock('FOR UPDATE')}`,
      [id],
      transaction,
    );
    if (!project) return true;
    if (await hasRows({ id, teamId }, rowsOfProject(clock.now()), transaction)) return false;
    await deleteDomains({ id, teamId }, transaction);
    await queryRaw('DELETE FROM projects WHERE id = $1', [id], transaction);
    await queryRaw(
      'INSERT INTO purged_projects (id, purged_at, sweep_at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING',
      [id, sqlTime(clock.now()), sqlTime(clock.now() + SWEEP_MS)],
      transaction,
    );
    const about = { teamId, projectId: id, subjectId: id, subjectName: project.name };
    if (!project.with_team) await recordAudit(transaction, 'operator', { ...about, action: 'project.purged' });
    await announce(transaction, 'project', id);
    return true;
  });
}

/** Deletes the row of a team whose purge has begun and that has nothing else left. Returns false when something has arrived meanwhile. */
export async function endTeam(team: Owner): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const mine = `SELECT id FROM teams WHERE id = $1 AND purge_began_at IS NOT NULL ${rowLock('FOR UPDATE')}`;
    if ((await queryRaw(mine, [team.id], transaction)).length === 0) return true;
    const project = { table: 'projects', where: 'team_id = $1', by: 'created_at' };
    if (await hasRows(team, [project, ...ROWS_OF_TEAM], transaction)) return false;
    // Nobody may take over a name by the records that the team has left in its DNS, whose name nothing says any more.
    await queryRaw(
      `INSERT INTO released_domains (hostname, team_id, released_at)
       SELECT hostname, '', released_at FROM released_domains WHERE team_id = $1 ON CONFLICT (hostname, team_id) DO NOTHING`,
      [team.id],
      transaction,
    );
    await queryRaw('DELETE FROM released_domains WHERE team_id = $1', [team.id], transaction);
    await queryRaw('DELETE FROM teams WHERE id = $1', [team.id], transaction);
    return true;
  });
}

/** Records that nothing has arrived in a purged project; forgets it once nothing can. */
export async function putOffSweep(id: string): Promise<void> {
  const nowMs = clock.now();
  await inTransaction(async (transaction) => {
    const forgotten = 'DELETE FROM purged_projects WHERE id = $1 AND purged_at < $2';
    await queryRaw(forgotten, [id, sqlTime(nowMs - ARRIVALS_DAYS * DAY_MS)], transaction);
    const sweepAt = sqlTime(nowMs + SWEEP_MS);
    await queryRaw('UPDATE purged_projects SET sweep_at = $2 WHERE id = $1', [id, sweepAt], transaction);
  });
}

/** The domains of a project are few. A link domain is protected as one that was deleted alone: see `deleteDomain`. */
async function deleteDomains({ id, teamId }: Owner, transaction: Transaction): Promise<void> {
  const domains = await queryRaw<{ hostname: string; kind: string; verified_at: string | Date | null }>(
    'DELETE FROM domains WHERE project_id = $1 RETURNING hostname, kind, verified_at',
    [id],
    transaction,
  );
  for (const { hostname, kind, verified_at } of domains) {
    if (kind === 'link' && verified_at !== null) await recordRelease(hostname, teamId, transaction);
  }
  await announce(transaction, 'domain', ...domains.map(({ hostname }) => hostname));
}

function purgeOf({ table, where, by, more, most = Number.POSITIVE_INFINITY }: OwnedRows, owner: Owner) {
  const values = [owner.id, ...(more?.(owner) ?? [])];
  return async (wanted: number): Promise<boolean> => {
    const batch = Math.min(wanted, most);
    return (await deleteOldest({ table, where, values, oldestBy: by, batch })) === batch;
  };
}

/** Whether anything of the owner is left. One after the other: each may need parameters of its own. */
async function hasRows(owner: Owner, tables: readonly OwnedRows[], transaction?: Transaction): Promise<boolean> {
  for (const { table, where, more } of tables) {
    const values = [owner.id, ...(more?.(owner) ?? [])];
    const sql = `SELECT 1 AS one FROM ${table} WHERE ${where} LIMIT 1`;
    if ((await queryRaw(sql, values, transaction)).length > 0) return true;
  }
  return false;
}

/** $1: what was to be deleted by then is over; $2: the time. */
function times(): [over: string, now: string] {
  return [sqlTime(clock.now() - MARGIN_MS), sqlTime(clock.now())];
}
