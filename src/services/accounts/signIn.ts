import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { User } from '../../models/User.ts';
import { isPasswordRight } from './passwords.ts';
import { beginSession } from './sessions.ts';

let failures: RateLimiterMemory | undefined;

/**
 * Begins a session and gives its token. Throws `invalid_credentials` in the same words whatever was wrong, and
 * `rate_limited` after too many failures from one address or for one e-mail.
 */
export async function signIn(
  input: { email: string; password: string },
  clientAddress: string,
): Promise<{ user: User; token: string }> {
  const email = input.email.trim().toLowerCase();
  const limits = [`address ${clientAddress}`, `email ${email}`];
  // Counted before the check and given back after a success: guesses sent all at once are counted as well.
  for (const limit of limits) await countAttempt(limit);
  const user = await User.findOne({ where: { email } });
  const right = await isPasswordRight(user?.passwordHash ?? null, input.password);
  if (!user || !right) throw new CodedError('invalid_credentials', 'E-mail or password is wrong.');
  for (const limit of limits) await limiter().delete(limit);
  return { user, token: await beginSession(user.id) };
}

function limiter(): RateLimiterMemory {
  const { signInAttempts: points, signInPauseSeconds: duration } = config;
  // Settings are read anew when a process starts a second product.
  if (failures?.points !== points || failures.duration !== duration) {
    failures = new RateLimiterMemory({ points, duration });
  }
  return failures;
}

async function countAttempt(limit: string): Promise<void> {
  try {
    await limiter().consume(limit);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    const retryAfterSeconds = Math.ceil(refusal.msBeforeNext / 1000);
    throw new CodedError('rate_limited', `Too many failed sign-ins. Try again in ${retryAfterSeconds} seconds.`, {
      retryAfterSeconds,
    });
  }
}
