import type { AuditAction } from '../../audit/actions.ts';
import { type Actor, recordAudits } from '../../audit/recordAudit.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { newId } from '../../kernel/ids.ts';
import { accountNoticeMail } from '../../mail/accountNoticeMail.ts';
import { queueMails } from '../../mail/queueMails.ts';
import { Membership } from '../../models/Membership.ts';
import type { User } from '../../models/User.ts';
import { asPerson } from './asPerson.ts';

/** What happens to an account, with the notice that is mailed to the person. */
const CHANGES = {
  'account.password_changed': 'password_changed',
  'account.password_reset': 'password_changed',
  'account.second_factor_on': 'second_factor_on',
  'account.second_factor_off': 'second_factor_off',
  'account.recovery_codes_made': 'new_recovery_codes',
  'account.recovery_code_used': 'recovery_code_used',
} as const;

/** Notes it in each team of the person, and mails them: if it was not they, they should know. */
export async function noteAccountChange(
  transaction: Transaction,
  user: User,
  action: keyof typeof CHANGES,
  by: 'operator' | 'person' = 'person',
): Promise<void> {
  await noteInTeams(transaction, user, { action, actor: by === 'operator' ? 'operator' : asPerson(user.id) });
  // The command of the operator has no key to seal mails with; whom it is for has asked for it.
  if (by === 'operator') return;
  const reference = `${action}:${user.id}:${newId('aud')}`;
  await queueMails(transaction, [accountNoticeMail({ address: user.email, notice: CHANGES[action], reference })]);
}

/** Notes something about a person in the audit log of each of their teams. */
export async function noteInTeams(
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
