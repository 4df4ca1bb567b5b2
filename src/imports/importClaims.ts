import { randomUUID } from 'node:crypto';
import { ofLiveProject } from '../access/notDeleted.ts';
import { claimDue, type DueRows, hasDue, isFree, type LeasedTable } from '../db/lease.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction, lockNames } from '../db/transactions.ts';
import { inSeconds } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Import } from '../models/Import.ts';

const LEASES: LeasedTable = {
  table: 'imports',
  key: 'id',
  due: 'created_at',
  until: 'claimed_until',
  leaseMs: () => config.importLeaseSeconds * 1000,
  longestMs: () => Math.max(config.importLeaseSeconds, config.importRetrySeconds) * 1000,
};

/**
 * Whatever the clock says: the one that waits longest is first. Those of a deleted project wait until it is restored, and those
 * of a team that has one running wait for it: others get their turn meanwhile.
 */
function waiting(): DueRows {
  const team = (project: string) => `(SELECT team_id FROM projects WHERE projects.id = ${project})`;
  const isTeamBusy = `EXISTS (SELECT 1 FROM imports AS running WHERE running.finished_at IS NULL AND running.claim IS NOT NULL
    AND running.id <> imports.id AND NOT ${isFree({ ...LEASES, table: 'running' })}
    AND ${team('running.project_id')} = ${team('imports.project_id')})`;
  return {
    where: `finished_at IS NULL AND ${ofLiveProject('imports.project_id')} AND NOT ${isTeamBusy}`,
    dueAtMs: null,
  };
}

/** Whether an import waits to be run. */
export function hasWaitingImports(): Promise<boolean> {
  return hasDue(LEASES, waiting());
}

/** Claims the import that has waited longest; null when none waits. */
export async function claimImport(): Promise<Import | null> {
  if (!(await hasWaitingImports())) return null;
  const [claimed] = await inTransaction(async (transaction) => {
    // One claim at a time: two at once would not see each other, and take two imports of one team.
    await lockNames(['claims of imports'], transaction);
    return claimDue(LEASES, {
      ...waiting(),
      transaction,
      limit: 1,
      setValues: [randomUUID()],
      set: "status = 'running', claim = $1, message = NULL",
    });
  });
  return claimed ? Import.findByPk(claimed.key) : null;
}

/**
 * Runs `work` on the import as it is now, locked, if `claimed` still holds it: it may have been cancelled, or another
 * process may have taken it over. The claim is good for another while then.
 */
export async function whileClaimed<Result>(
  { id, claim }: Import,
  work: (current: Import, transaction: Transaction) => Promise<Result>,
): Promise<Result | null> {
  return inTransaction(async (transaction) => {
    const current = await Import.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!current || current.claim !== claim) return null;
    current.claimedUntil = lease();
    return work(current, transaction);
  });
}

/** Releases an import; it can be claimed again after `seconds`. */
export async function releaseImport({ id, claim }: Import, seconds: number, more: Partial<Import> = {}): Promise<void> {
  await inTransaction((transaction) =>
    Import.update({ claim: null, claimedUntil: inSeconds(seconds), ...more }, { where: { id, claim }, transaction }),
  );
}

/** After a start with the embedded store no other process runs: what is claimed was claimed by a dead one. */
export async function freeImports(): Promise<void> {
  const where = { finishedAt: null, claim: { [Op.ne]: null } };
  await inTransaction((transaction) => Import.update({ claim: null, claimedUntil: null }, { where, transaction }));
}

function lease(): Date {
  return inSeconds(config.importLeaseSeconds);
}
