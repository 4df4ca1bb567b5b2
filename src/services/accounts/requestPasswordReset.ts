import { inTransaction } from '../../db/inTransaction.ts';
import { log } from '../../kernel/log.ts';
import { passwordResetMail } from '../../mail/passwordResetMail.ts';
import { isMailSet, queueMails } from '../../mail/queueMails.ts';
import { User } from '../../models/User.ts';
import { takeAttempts } from './attempts.ts';
import type { Client } from './Client.ts';
import { newResetLink } from './newResetLink.ts';
import { normalEmail } from './normalEmail.ts';
import { newestPending } from './pendingAccounts.ts';

/**
 * Has a link to set a new password mailed, if there is such an account. The answer says nothing of that, nor does the time
 * that it takes: what there is to do is done after it. Throws `rate_limited`.
 */
export async function requestPasswordReset(given: string, client: Client): Promise<void> {
  const email = normalEmail(given);
  await takeAttempts(['resetAddress', client.address], ['resetEmail', email]);
  setImmediate(() => void prepare(email));
}

async function prepare(email: string): Promise<void> {
  try {
    const user = (await User.findOne({ where: { email } })) ?? (await newestPending(email));
    if (!user) return;
    if (isMailSet()) await mailLink(user, email);
    else
      log.warn(
        `Somebody asked for a new password for ${user.id}. Without SMTP_URL no mail is sent: ${commandFor(user)}`,
      );
  } catch (error) {
    log.error({ err: error }, 'a link to set a new password could not be mailed');
  }
}

async function mailLink({ id }: User, address: string): Promise<void> {
  await inTransaction(async (transaction) => {
    const link = await newResetLink(id, transaction);
    await queueMails(transaction, [passwordResetMail({ address, ...link })]);
  });
}

/** By the id: what is logged goes to more people than may know who has an account. */
function commandFor({ id }: User): string {
  return `npm run admin -- reset-password ${id} gives a link to hand over.`;
}
