import { atMost } from '../../kernel/atMost.ts';
import { CodedError } from '../../kernel/errors.ts';
import type { User } from '../../models/User.ts';
import { hashPassword, isPasswordRight } from './passwords.ts';

/**
 * People who wait to have their passwords looked at: a second or two. Whoever signed in before, from that browser or in that
 * session, has a lane of their own: no crowd of strangers keeps them out.
 */
const LANES = { strangers: atMost(1, 63), known: atMost(1, 63) };
type Lane = keyof typeof LANES;
const RETRY_SECONDS = 2;

/** The hash to store of a new password. Throws `unavailable` while too many others wait. */
export function hashAccountPassword(password: string, lane: Lane = 'strangers'): Promise<string> {
  return inTurn(lane, () => hashPassword(normalized(password)));
}

/** Whether it is the person's password; takes as long without a person. Throws `unavailable` while too many others wait. */
export function isAccountPassword(user: User | null, password: string, lane: Lane = 'strangers'): Promise<boolean> {
  return inTurn(lane, () => isPasswordRight(user?.passwordHash ?? null, normalized(password)));
}

async function inTurn<Result>(lane: Lane, work: () => Promise<Result>): Promise<Result> {
  const result = LANES[lane](work);
  if (result) return result;
  throw new CodedError('unavailable', 'Too many people sign in at this moment. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}

/** Keyboards differ in how they write the same letter (é as one character or two): NIST SP 800-63B asks for this. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
