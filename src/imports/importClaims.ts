import { randomUUID } from 'node:crypto';
import { inTransaction } from '../../db/inTransaction.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { inSeconds, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { Import } from '../../models/Import.ts';

/** The import that has waited longest, claimed for this process for a while; null when none waits. */
export async function claimImport(): Promise<Import | null> {
  // Asked outside a transaction first: mostly there is none, and on SQLite transactions wait for each other.
  if (!(await Import.findOne({ attributes: ['id'], where: waiting() }))) return null;
  return inTransaction(async (transaction) => {
    const found = await Import.findOne({
      where: waiting(),
      order: [['createdAt', 'ASC']],
      lock: transaction.LOCK.UPDATE,
      skipLocked: true,
      transaction,
    });
    const claim = { status: 'running', claim: randomUUID(), claimedUntil: lease(), message: null } as const;
    return found ? found.update(claim, { transaction }) : null;
  });
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

/** Gives an import back, to be claimed again after `seconds`. */
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

function waiting() {
  return { finishedAt: null, claimedUntil: { [Op.or]: [{ [Op.is]: null }, { [Op.lte]: now() }] } };
}
