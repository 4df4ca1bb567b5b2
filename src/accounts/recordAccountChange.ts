import { personPrincipal } from '../access/principal.ts';
import type { AuditAction } from '../audit/actions.ts';
import { type Actor, recordAudits } from '../audit/recordAudit.ts';
import type { Transaction } from '../db/sequelize.ts';
import { newId } from '../kernel/ids.ts';
import { queueMails, writeMail } from '../mail/mailQueue.ts';
import { Membership } from '../models/Membership.ts';
import type { User } from '../models/User.ts';

/** The changes of an account, each with the notice that is mailed to its person. */
const CHANGES = {
  'account.password_changed': 'password_changed',
  'account.password_reset': 'password_changed',
  'account.second_factor_off': 'second_factor_off',
  'account.recovery_codes_made': 'new_recovery_codes',
  'account.recovery_code_used': 'recovery_code_used',
} as const;

/** Records the change in each team of the person and mails them a notice, in case somebody else made the change. */
export async function recordAccountChange(
  transaction: Transaction,
  user: User,
  action: keyof typeof CHANGES,
  by: 'operator' | 'person' = 'person',
): Promise<void> {
  await recordInTeams(transaction, user, { action, actor: by === 'operator' ? 'operator' : personPrincipal(user.id) });
  // The operator's command has no key to encrypt mails with, and the person has asked for the change.
  if (by === 'operator') return;
  const reference = `${action}:${user.id}:${newId('aud')}`;
  await queueMails(transaction, [writeMail(CHANGES[action], { address: user.email, reference }, {})]);
}

/** Records an action of a person in the audit log of each of their teams. */
export async function recordInTeams(
  transaction: Transaction,
  { id: userId, email }: User,
  entry: { action: AuditAction; actor: Actor; details?: Record<string, unknown> },
): Promise<void> {
  const memberships = await Membership.findAll({ where: { userId }, transaction });
  const about = { projectId: null, subjectId: userId, subjectName: email };
  await recordAudits(
    transaction,
    memberships.map(({ teamId }) => ({ ...entry, ...about, teamId })),
  );
}
