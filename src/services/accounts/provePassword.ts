import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { User } from '../../models/User.ts';
import { isAccountPassword } from './accountPasswords.ts';
import { type Attempt, giveBackAttempts, takeAttempts } from './attempts.ts';

/**
 * The signed-in person, if that is their password: a session that was left open is not enough to take an account over.
 * Wrong ones count with failed sign-ins. Throws `invalid_credentials`, `rate_limited`.
 */
export async function provePassword(principal: Principal, password: string): Promise<User> {
  const user = await User.findByPk(requireSession(principal).userId);
  if (!user) throw notFound('user');
  const attempt: Attempt = ['signInEmail', user.email];
  await takeAttempts(attempt);
  if (!(await isAccountPassword(user, password))) {
    throw new CodedError('invalid_credentials', 'The password is wrong.');
  }
  await giveBackAttempts(attempt);
  return user;
}
