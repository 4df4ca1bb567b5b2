import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { User } from '../../models/User.ts';
import { isAccountPassword } from './accountPasswords.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from './attempts.ts';

/**
 * The signed-in person, if that is their password: a session that was left open is not enough to take an account over.
 * Wrong ones are counted for the session. Throws `invalid_credentials`, `rate_limited`.
 */
export async function provePassword(principal: Principal, password: string): Promise<User> {
  const { userId, tokenHash } = requireSession(principal);
  const user = await User.findByPk(userId);
  if (!user) throw notFound('user');
  // By session: others who guess at the sign-in must not keep the person from changing the password.
  const attempt: Attempt = ['provePassword', tokenHash];
  await takeAttempts(attempt);
  if (!(await isAccountPassword(user, password, 'known'))) {
    throw new CodedError('invalid_credentials', 'The password is wrong.');
  }
  await giveBackAttempts(attempt);
  return user;
}
