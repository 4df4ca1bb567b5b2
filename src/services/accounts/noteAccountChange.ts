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
  const actor: Actor = by === 'operator' ? 'operator' : asPerson(user.id);
  const memberships = await Membership.findAll({ where: { userId: user.id }, transaction });
  const entry = { action, projectId: null, subjectId: user.id, subjectName: user.email, actor };
  await recordAudits(
    transaction,
    memberships.map(({ teamId }) => ({ ...entry, teamId })),
  );
  // The command of the operator has no key to seal mails with; whom it is for has asked for it.
  if (by === 'operator') return;
  const reference = `${action}:${user.id}:${newId('aud')}`;
  await queueMails(transaction, [accountNoticeMail({ address: user.email, notice: CHANGES[action], reference })]);
}
