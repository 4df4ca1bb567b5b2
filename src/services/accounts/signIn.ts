import { isIPv6 } from 'node:net';
import { inTransaction } from '../../db/inTransaction.ts';
import { CodedError } from '../../kernel/errors.ts';
import { isMailSet } from '../../mail/queueMails.ts';
import { User } from '../../models/User.ts';
import { isAccountPassword } from './accountPasswords.ts';
import { type Attempt, accountFrom, giveBackAttempts, takeAttempts } from './attempts.ts';
import type { BegunSession, Client } from './Client.ts';
import { knownBrowser, rememberBrowser } from './knownBrowsers.ts';
import { lockUser } from './lockUser.ts';
import { normalEmail } from './normalEmail.ts';
import { noteFailure, noteSignIn, whatToNote } from './noteSignIns.ts';
import { newestPending } from './pendingAccounts.ts';
import { refuseMissingCode, useSecondFactor } from './secondFactor/useSecondFactor.ts';
import { beginSession } from './sessions.ts';

interface SignIn {
  email: string;
  password: string;
  /** Of the second factor. */
  code?: string | null;
}

/**
 * Begins a session. Throws `invalid_credentials` in the same words whatever was wrong with e-mail or password,
 * `second_factor_required` when they are right and a code is wanted too, and `rate_limited` after too many failures from
 * one address or for one account.
 */
export async function signIn(input: SignIn, client: Client): Promise<BegunSession & { user: User }> {
  const email = normalEmail(input.email);
  const found = await User.findOne({ where: { email } });
  const browser = found && knownBrowser(client.knownBrowsers, found);
  const attempts = attemptsFor(email, client, browser);
  await takeAttempts(...attempts).catch((refusal) => {
    noteFailure(found, client, 'account.sign_in_paused');
    throw refusal;
  });
  const user = await rightUser(found, { email, password: input.password, isKnown: browser !== null }, client);
  if (user.totpEnabledAt) {
    if (!input.code) await giveBackAttempts(...attempts);
    refuseMissingCode(input.code);
    await takeAttempts(['secondFactor', user.id]);
    attempts.push(['secondFactor', user.id]);
  }
  const noted = await whatToNote(user, browser === null);
  const token = await inTransaction(async (transaction) => {
    const present = await lockUser(user, transaction);
    if (present.totpEnabledAt) await useSecondFactor(present, input.code, transaction);
    await noteSignIn(transaction, present, client, noted);
    return beginSession(present.id, client.userAgent, transaction);
  }).catch((refusal) => {
    const isCode = user.totpEnabledAt && refusal instanceof CodedError;
    if (isCode) noteFailure(user, client, 'account.second_factor_failed');
    throw refusal;
  });
  await giveBackAttempts(...attempts);
  return { user, token, knownBrowsers: rememberBrowser(client.knownBrowsers, user) };
}

/**
 * What a try counts as. Strangers can use up the attempts of an account, not those of a browser that signed in to it
 * before: so nobody is kept out by the guesses of others.
 */
function attemptsFor(email: string, { address }: Client, browser: string | null): Attempt[] {
  return [
    ['signInAddress', address],
    ...(isIPv6(address) ? ([['signInNetwork', address]] as Attempt[]) : []),
    ['signInFrom', accountFrom(email, address)],
    browser ? ['signInBrowser', browser] : ['signInAccount', email],
  ];
}

async function rightUser(
  found: User | null,
  { email, password, isKnown }: { email: string; password: string; isKnown: boolean },
  client: Client,
): Promise<User> {
  const isRight = await isAccountPassword(found, password, isKnown ? 'known' : 'strangers');
  if (found && isRight) return found;
  const pending = isMailSet() ? await rightPending(email, password) : null;
  if (pending) return pending;
  noteFailure(found, client, 'account.sign_in_failed');
  throw new CodedError('invalid_credentials', 'E-mail or password is wrong.');
}

/** Who waits for their e-mail to be confirmed signs in too, to have the mail sent again. A wrong password takes as long. */
async function rightPending(email: string, password: string): Promise<User | null> {
  const pending = await newestPending(email);
  return (await isAccountPassword(pending, password)) ? pending : null;
}
