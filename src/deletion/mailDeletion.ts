import { Op, type Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { type NewMail, queueMails, writeMail } from '../mail/mailQueue.ts';
import type { EmailChange } from '../models/EmailChange.ts';
import { Membership, type Role } from '../models/Membership.ts';
import { User } from '../models/User.ts';

/** Queues a mail for each member of the team with one of these roles; `write` gets the address and a unique reference. */
export async function mailMembers(
  teamId: string,
  roles: readonly Role[],
  write: (recipient: { address: string; reference: string }) => NewMail,
  transaction: Transaction,
): Promise<void> {
  const members = await Membership.findAll({ where: { teamId, role: { [Op.in]: [...roles] } }, transaction });
  const people = await User.findAll({ where: { id: { [Op.in]: members.map(({ userId }) => userId) } }, transaction });
  // Who deletes again after a restoration is mailed again.
  const deletion = newId('mail');
  await queueMails(
    transaction,
    people.map(({ id, email }) => write({ address: email, reference: `${deletion}:${id}` })),
  );
}

/**
 * Queues the notice of a deleted account for its person, and one for each former address to which a link was mailed that
 * still undoes one of these changes: an intruder may have changed the e-mail first.
 */
export async function mailAccountDeletion(
  {
    user,
    deletionAt,
    changes,
    factorUndoneUntil,
  }: { user: User; deletionAt: Date; changes: readonly EmailChange[]; factorUndoneUntil: Date | null },
  transaction: Transaction,
): Promise<void> {
  const { id, email } = user;
  const deletion = newId('mail');
  const present = { address: email, reference: `account_deleted:${id}:${deletion}` };
  const notice = writeMail('account_deleted', present, {
    deletionAt,
    isRestorable: deletionAt > now(),
    factorUndoneUntil,
  });
  // Of several links to one address the one that ends last counts.
  const ends = new Map(changes.map(({ fromEmail, expiresAt }) => [fromEmail, expiresAt]));
  ends.delete(email);
  const others = [...ends].map(([address, undoUntil], at) => {
    const reference = `former_account_deleted:${deletion}:${at}`;
    return writeMail('former_account_deleted', { address, reference }, { deletionAt, undoUntil });
  });
  await queueMails(transaction, [notice, ...others]);
}
