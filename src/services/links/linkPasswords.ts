import { currentRight, refuseVain } from '../../kernel/answerRight.ts';
import { atMost } from '../../kernel/atMost.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import { hashPassword, isPasswordRight } from '../accounts/passwords.ts';
import type { LinkInput } from './linkInput.ts';

/** In characters, as the rule of the field says. */
export const MAX_PASSWORD_LENGTH = 200;

/** Visitors who wait to have theirs looked at: a second or two. */
const MOST_WAITING = 64;
/** Calls of a project that wait to have passwords hashed, each with one at a time. */
const MOST_OF_PROJECT = 20;
/** Different passwords of one call: half a second of a core. */
const MOST_OF_CALL = 20;

/** Somebody who asks is refused and asks again; imports have all the time there is. */
export type WhenBusy = 'refuse' | 'wait';

const checking = atMost(1, MOST_WAITING);
const hashing = atMost(1);
/** By project: calls that wait for their next hash. */
const waiting = new Map<string, number>();

/** Whether it is the password of the hash; null: too many others are waiting to know that. */
export function isLinkPassword(stored: string, given: string): Promise<boolean> | null {
  return checking(() => isPasswordRight(stored, normalized(given)));
}

/**
 * Adds the hashes of passwords that were sent to what passed so far, before the transaction: null clears one, undefined
 * leaves it. A password that many links of a list share is hashed once. Stops when the request has ended. While too many
 * calls of the project wait it throws `rate_limited`, unless the caller is one that can wait.
 */
export async function hashLinkPasswords<One extends { input: LinkInput }>(
  projectId: string,
  checked: (One | CodedError)[],
  whenBusy: WhenBusy,
): Promise<((One & { passwordHash?: string | null }) | CodedError)[]> {
  const hashes = new Map<string, string>();
  for (const one of checked) {
    const password = one instanceof CodedError ? null : one.input.password;
    // One after the other: who changes a single link meanwhile waits for one of them, not for the list.
    if (password && !hashes.has(password)) hashes.set(password, await hashed(projectId, password, whenBusy));
  }
  return checked.map((one) => {
    if (one instanceof CodedError || one.input.password === undefined) return one;
    return { ...one, passwordHash: hashes.get(one.input.password ?? '') ?? null };
  });
}

/** Refuses a list of links that asks for more hashing than one call may. Throws `validation_failed`. */
export function refuseManyPasswords(rows: readonly { password?: unknown }[]): void {
  const seen = new Set<unknown>();
  const problems = rows.flatMap(({ password }, at) => {
    if (typeof password !== 'string' || seen.has(password)) return [];
    seen.add(password);
    const message = `A call takes at most ${MOST_OF_CALL} different passwords. Send the rest in further calls.`;
    return seen.size > MOST_OF_CALL ? [{ path: `links.${at}.password`, message }] : [];
  });
  if (problems.length > 0) throw validationFailed(problems);
}

async function hashed(projectId: string, password: string, whenBusy: WhenBusy): Promise<string> {
  const others = waiting.get(projectId) ?? 0;
  if (others >= MOST_OF_PROJECT && whenBusy === 'refuse') {
    const message = 'Too many requests of this project wait for passwords to be hashed. Try again in a few seconds.';
    throw new CodedError('rate_limited', message, { retryAfterSeconds: 2 });
  }
  const right = currentRight();
  waiting.set(projectId, others + 1);
  try {
    return (await hashing(async () => {
      refuseVain(right);
      return hashPassword(normalized(password));
    })) as string;
  } finally {
    const left = (waiting.get(projectId) ?? 1) - 1;
    if (left > 0) waiting.set(projectId, left);
    else waiting.delete(projectId);
  }
}

/** Keyboards differ in how they write the same letter (é as one character or two): NIST SP 800-63B asks for this. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
