import { inTransaction } from '../../db/inTransaction.ts';
import { CodedError } from '../../kernel/errors.ts';
import { User } from '../../models/User.ts';
import { isAccountPassword } from './accountPasswords.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from './attempts.ts';
import type { Client } from './Client.ts';
import { lockUser } from './lockUser.ts';
import { normalEmail } from './normalEmail.ts';
import { refuseMissingCode, useSecondFactor } from './secondFactor/useSecondFactor.ts';
import { beginSession } from './sessions.ts';

interface SignIn {
  email: string;
  password: string;
  /** Of the second factor. */
  code?: string | null;
}

/**
 * Begins a session and gives its token. Throws `invalid_credentials` in the same words whatever was wrong with e-mail or
 * password, `second_factor_required` when they are right and a code is wanted too, and `rate_limited` after too many
 * failures from one address or for one account.
 */
export async function signIn(input: SignIn, client: Client): Promise<{ user: User; token: string }> {
  const email = normalEmail(input.email);
  const attempts: Attempt[] = [
    ['signInAddress', client.address],
    ['signInEmail', email],
  ];
  await takeAttempts(...attempts);
  const user = await rightUser(email, input.password);
  if (user.totpEnabledAt) {
    if (!input.code) await giveBackAttempts(...attempts);
    refuseMissingCode(input.code);
    await takeAttempts(['secondFactor', user.id]);
    attempts.push(['secondFactor', user.id]);
  }
  const token = await inTransaction(async (transaction) => {
    const present = await lockUser(user, transaction);
    if (present.totpEnabledAt) await useSecondFactor(present, input.code, transaction);
    return beginSession(present.id, client.userAgent, transaction);
  });
  await giveBackAttempts(...attempts);
  return { user, token };
}

async function rightUser(email: string, password: string): Promise<User> {
  const user = await User.findOne({ where: { email } });
  const isRight = await isAccountPassword(user, password);
  if (!user || !isRight) throw new CodedError('invalid_credentials', 'E-mail or password is wrong.');
  return user;
}
