import { isIPv6 } from 'node:net';
import { NOBODY, personPrincipal } from '../access/principal.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { now } from '../kernel/clock.ts';
import { CodedError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { isMailConfigured, queueMails, writeMail } from '../mail/mailQueue.ts';
import { User } from '../models/User.ts';
import { isAccountPassword } from './accountPasswords.ts';
import { type Attempt, accountFrom, countAttempts, isWithinLimits, refundAttempts } from './attempts.ts';
import { describeAgent, knownBrowser, rememberBrowser } from './browsers.ts';
import { refuseMissingCode, useSecondFactor } from './proof.ts';
import { recordInTeams } from './recordAccountChange.ts';
import { beginSession, type Client, type NewSession } from './sessionService.ts';
import { lockUser, newestPending, normalizeEmail } from './userStore.ts';

interface SignIn {
  email: string;
  password: string;
  /** A code of the second factor, or a recovery code. */
  code?: string | null;
}

/** The actions that record a failed sign-in to an existing account. */
type Failure = 'account.sign_in_failed' | 'account.second_factor_failed' | 'account.sign_in_paused';

/**
 * Begins a session. Throws `invalid_credentials` with the same message whether e-mail or password is wrong,
 * `second_factor_required` when both are right and a code is needed too, and `rate_limited` after too many failures from
 * one address or for one account.
 */
export async function signIn(input: SignIn, client: Client): Promise<NewSession & { user: User }> {
  const email = normalizeEmail(input.email);
  const found = await User.findOne({ where: { email } });
  const browser = found && knownBrowser(client.knownBrowsers, found);
  const attempts = attemptsFor(email, client, browser);
  await countAttempts(...attempts).catch((refusal) => {
    recordFailure(found, client, 'account.sign_in_paused');
    throw refusal;
  });
  const user = await checkCredentials(found, { email, password: input.password, isKnown: browser !== null }, client);
  if (user.totpEnabledAt) {
    if (!input.code) await refundAttempts(...attempts);
    refuseMissingCode(input.code);
    await countAttempts(['secondFactor', user.id]);
    attempts.push(['secondFactor', user.id]);
  }
  const records = await planRecords(user, browser === null);
  const token = await inTransaction(async (transaction) => {
    const present = await lockUser(user, transaction);
    if (present.totpEnabledAt) await useSecondFactor(present, input.code, transaction);
    await recordSignIn(transaction, present, client, records);
    return beginSession(present.id, client.userAgent, transaction);
  }).catch((refusal) => {
    const isCode = user.totpEnabledAt && refusal instanceof CodedError;
    if (isCode) recordFailure(user, client, 'account.second_factor_failed');
    throw refusal;
  });
  await refundAttempts(...attempts);
  return { user, token, knownBrowsers: rememberBrowser(client.knownBrowsers, user) };
}

/**
 * The limits that a sign-in counts against. Strangers can use up the attempts of an account, but not those of a browser
 * that signed in to it before, so that guesses by others do not lock anyone out.
 */
function attemptsFor(email: string, { address }: Client, browser: string | null): Attempt[] {
  return [
    ['signInAddress', address],
    ...(isIPv6(address) ? ([['signInNetwork', address]] as Attempt[]) : []),
    ['signInFrom', accountFrom(email, address)],
    browser ? ['signInBrowser', browser] : ['signInAccount', email],
  ];
}

async function checkCredentials(
  found: User | null,
  { email, password, isKnown }: { email: string; password: string; isKnown: boolean },
  client: Client,
): Promise<User> {
  const isRight = await isAccountPassword(found, password, isKnown ? 'known' : 'strangers');
  if (found && isRight) return found;
  const pending = isMailConfigured() ? await checkPendingCredentials(email, password) : null;
  if (pending) return pending;
  recordFailure(found, client, 'account.sign_in_failed');
  throw new CodedError('invalid_credentials', 'E-mail or password is wrong.');
}

/**
 * The unconfirmed account with that password, or null: its person may sign in, to have the confirmation mailed again. The
 * password is checked even without such an account, so that the time reveals nothing.
 */
async function checkPendingCredentials(email: string, password: string): Promise<User | null> {
  const pending = await newestPending(email);
  return (await isAccountPassword(pending, password)) ? pending : null;
}

/**
 * What the transaction of a sign-in will record and mail. Decided before that transaction, because counting against the
 * limits needs a transaction of its own.
 */
async function planRecords(user: User, isNewBrowser: boolean) {
  const isRecorded = await isWithinLimits(['signInsNoted', user.id]);
  const isMailed = isNewBrowser && user.pendingEmail === null && (await isWithinLimits(['newBrowserMails', user.id]));
  return { isNewBrowser, isRecorded, isMailed };
}

/** Records a sign-in in each team of the person, and mails them when it is from a browser that is new to the account. */
async function recordSignIn(
  transaction: Transaction,
  user: User,
  { userAgent }: Client,
  { isNewBrowser, isRecorded, isMailed }: Awaited<ReturnType<typeof planRecords>>,
): Promise<void> {
  const browser = describeAgent(userAgent);
  if (isRecorded) {
    const details = { browser, new_browser: isNewBrowser };
    await recordInTeams(transaction, user, { action: 'account.signed_in', actor: personPrincipal(user.id), details });
  }
  if (!isMailed) return;
  const reference = `new_browser:${user.id}:${newId('aud')}`;
  await queueMails(transaction, [writeMail('new_browser', { address: user.email, reference }, { browser, at: now() })]);
}

/**
 * Records a failed sign-in: the first from each address in a while, and ten an hour in all. It is written after the
 * response, whose time would otherwise reveal whether the account exists.
 */
function recordFailure(user: User | null, client: Client, action: Failure): void {
  if (user) setImmediate(() => void writeFailure(user, client, action));
}

async function writeFailure(user: User, { address, userAgent }: Client, action: Failure): Promise<void> {
  try {
    const isRecorded =
      action === 'account.sign_in_paused'
        ? await isWithinLimits(['locksNoted', user.id])
        : await isWithinLimits(
            ['failuresNotedFrom', `${action}\n${accountFrom(user.id, address)}`],
            ['failuresNoted', user.id],
          );
    if (!isRecorded) return;
    const details = { browser: describeAgent(userAgent) };
    await inTransaction((transaction) => recordInTeams(transaction, user, { action, actor: NOBODY, details }));
  } catch (error) {
    log.warn({ err: error }, 'a failed sign-in could not be recorded');
  }
}
