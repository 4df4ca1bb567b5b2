import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { limitConcurrency } from '../kernel/concurrency.ts';
import { CodedError, notFound, validationFailed } from '../kernel/errors.ts';
import { hashPassword, isPasswordRight } from '../kernel/passwords.ts';
import { User } from '../models/User.ts';
import { type Attempt, countAttempts, refundAttempts } from './attempts.ts';

/**
 * Password checks that may wait, each for a second or two. People who signed in before, from their browser or in their
 * session, have a queue of their own, so that a crowd of strangers does not keep them out.
 */
const QUEUES = { strangers: limitConcurrency(1, 63), known: limitConcurrency(1, 63) };
type Queue = keyof typeof QUEUES;
const RETRY_SECONDS = 2;

/**
 * Passwords of eight characters and more that lead every published list of leaked ones, in lower case. The list is short on
 * purpose: the limits on attempts stop guessing, and this list stops only the first guesses.
 */
const WORDS = `
12345678 123456789 1234567890 12345678910 0123456789 0987654321 987654321 87654321 11111111 111111111 00000000 88888888
66666666 99999999 12341234 11223344 1122334455 123123123 123321123 147258369 123454321 987654321a 1q2w3e4r 1q2w3e4r5t
1qaz2wsx 1qaz2wsx3edc q1w2e3r4 q1w2e3r4t5 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 qwerty12345 qwertz123
asdfghjk asdfghjkl asdf1234 asdfasdf zxcvbnm1 zxcvbnm123 abcdefgh abcd1234 abc12345 abc123456 a1b2c3d4 aa123456 aa12345678
a1234567 a12345678 a123456789 123456789a 12345678a 1234qwer password password1 password12 password123 password1234
password! password1! passw0rd p@ssw0rd p@ssword p@ssword1 pass1234 pass12345 passwort passwort1 iloveyou iloveyou1 iloveyou2
sunshine princess football baseball superman batman123 trustno1 starwars whatever computer internet michelle jennifer
charlie1 michael1 jordan23 liverpool chocolate butterfly changeme changeme1 changeme123 letmein1 letmein123 welcome1
welcome12 welcome123 welcome1! admin123 admin1234 admin12345 administrator root1234 test1234 test12345 testtest secret123
default1 samsung1 dragon123 monkey123 master123 hello123 google123 facebook linkedin corvette mercedes maverick
computer1 asdqwe123 qazwsxedc qweasdzxc zaq12wsx zaq1zaq1 1234abcd 5201314520 woaini1314 freedom1 whatever1 football1
baseball1 superman1 sunshine1 princess1 summer2024 summer2025 winter2024 winter2025
`;

const COMMON_PASSWORDS: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter(Boolean));

/** The hash of a new password, as it is stored. Throws `unavailable` while too many others wait. */
export function hashAccountPassword(password: string, queue: Queue = 'strangers'): Promise<string> {
  return enqueue(queue, () => hashPassword(password));
}

/**
 * Whether it is the user's password. Takes equally long without a user, so that the time does not reveal whether there is
 * an account. Throws `unavailable` while too many others wait.
 */
export function isAccountPassword(user: User | null, password: string, queue: Queue = 'strangers'): Promise<boolean> {
  return enqueue(queue, () => isPasswordRight(user?.passwordHash ?? null, password));
}

/**
 * The signed-in person, if that is their password: a session that was left open must not be enough to take over an account.
 * Wrong passwords count against the session. Throws `invalid_credentials`, `rate_limited`.
 */
export async function provePassword(principal: Principal, password: string): Promise<User> {
  const { userId, tokenHash } = requireSession(principal);
  const user = await User.findByPk(userId);
  if (!user) throw notFound('user');
  // By session: strangers who guess at the sign-in must not keep the person from changing the password.
  const attempt: Attempt = ['provePassword', tokenHash];
  await countAttempts(attempt);
  if (!(await isAccountPassword(user, password, 'known'))) {
    throw new CodedError('invalid_credentials', 'The password is wrong.');
  }
  await refundAttempts(attempt);
  return user;
}

/** Throws `validation_failed`, naming the field at `path`, for a password that is guessed first. */
export function refuseWeakPassword(password: string, email: string, path: string): void {
  const given = password.normalize('NFKC').toLowerCase();
  const isOwn = given.trim() === email || given === email.split('@')[0];
  if (isOwn) throw validationFailed([{ path, message: 'Must not be your e-mail.' }]);
  if (COMMON_PASSWORDS.has(given)) {
    throw validationFailed([{ path, message: 'Is one of the most common passwords. Choose another.' }]);
  }
}

async function enqueue<Result>(queue: Queue, work: () => Promise<Result>): Promise<Result> {
  const result = QUEUES[queue](work);
  if (result) return result;
  throw new CodedError('unavailable', 'Too many people are signing in at the moment. Try again in a few seconds.', {
    retryAfterSeconds: RETRY_SECONDS,
  });
}
