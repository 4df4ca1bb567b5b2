import type { Actor } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { newId } from '../../kernel/ids.ts';
import { log } from '../../kernel/log.ts';
import { newBrowserMail } from '../../mail/newBrowserMail.ts';
import { queueMails } from '../../mail/queueMails.ts';
import type { User } from '../../models/User.ts';
import { asPerson } from './asPerson.ts';
import { accountFrom, isWithinLimits } from './attempts.ts';
import type { Client } from './Client.ts';
import { describeAgent } from './describeAgent.ts';
import { noteInTeams } from './noteAccountChange.ts';

/** What becomes of a sign-in that fails, where there is such an account. */
type Failure = 'account.sign_in_failed' | 'account.second_factor_failed' | 'account.sign_in_paused';

const NOBODY: Actor = { kind: 'nobody' };

/** Asked before the transaction of a sign-in, because counting needs one of its own: what is written of it there. */
export async function whatToNote(user: User, isNewBrowser: boolean) {
  const isNoted = await isWithinLimits(['signInsNoted', user.id]);
  const isMailed = isNewBrowser && user.pendingEmail === null && (await isWithinLimits(['newBrowserMails', user.id]));
  return { isNewBrowser, isNoted, isMailed };
}

/** Notes a sign-in in each team of the person, and mails them when it is from a browser that never signed in before. */
export async function noteSignIn(
  transaction: Transaction,
  user: User,
  { userAgent }: Client,
  { isNewBrowser, isNoted, isMailed }: Awaited<ReturnType<typeof whatToNote>>,
): Promise<void> {
  const browser = describeAgent(userAgent);
  const details = { browser, new_browser: isNewBrowser };
  if (isNoted) await noteInTeams(transaction, user, { action: 'account.signed_in', actor: asPerson(user.id), details });
  if (!isMailed) return;
  const reference = `new_browser:${user.id}:${newId('aud')}`;
  await queueMails(transaction, [newBrowserMail({ address: user.email, reference, browser, at: now() })]);
}

/**
 * Notes a sign-in that failed: the first for each address in a while, and ten an hour in all. It happens after the
 * answer, whose time would otherwise tell whether there is such an account.
 */
export function noteFailure(user: User | null, client: Client, action: Failure): void {
  if (user) setImmediate(() => void write(user, client, action));
}

async function write(user: User, { address, userAgent }: Client, action: Failure): Promise<void> {
  try {
    const isNoted =
      action === 'account.sign_in_paused'
        ? await isWithinLimits(['locksNoted', user.id])
        : await isWithinLimits(
            ['failuresNotedFrom', `${action}\n${accountFrom(user.id, address)}`],
            ['failuresNoted', user.id],
          );
    if (!isNoted) return;
    const details = { browser: describeAgent(userAgent) };
    await inTransaction((transaction) => noteInTeams(transaction, user, { action, actor: NOBODY, details }));
  } catch (error) {
    log.warn({ err: error }, 'a failed sign-in could not be noted');
  }
}
