import { atMost } from '../../kernel/atMost.ts';
import { CodedError } from '../../kernel/errors.ts';
import { hashingTurns, hashPassword, isPasswordRight } from '../accounts/passwords.ts';
import type { LinkInput } from './linkInput.ts';

/** In characters, as the rule of the field says. */
export const MAX_PASSWORD_LENGTH = 200;

/**
 * Argon2 takes one of the four threads that Node keeps for such work, and a core, for some 20 ms. Redirects write their
 * clicks by the same threads: at least one is always left to them, however many guess or make links.
 */
const CHECKING_AT_ONCE = 2;
/** Visitors who wait to have theirs looked at: a second or two. */
const MOST_WAITING = 64;

const checking = atMost(CHECKING_AT_ONCE, MOST_WAITING);

/** Whether it is the password of the hash; null: too many others are waiting to know that. */
export function isLinkPassword(stored: string, given: string): Promise<boolean> | null {
  return checking(() => isPasswordRight(stored, normalized(given)));
}

/**
 * Adds the hashes of passwords that were sent to what passed so far, before the transaction: null clears one, undefined
 * leaves it. A password that many links of a list share is hashed once.
 */
export async function hashLinkPasswords<One extends { input: LinkInput }>(
  checked: (One | CodedError)[],
): Promise<((One & { passwordHash?: string | null }) | CodedError)[]> {
  const hashes = new Map<string, string>();
  for (const one of checked) {
    const password = one instanceof CodedError ? null : one.input.password;
    // One after the other: who changes a single link meanwhile waits for one of them, not for the list.
    if (password && !hashes.has(password)) hashes.set(password, await hashed(password));
  }
  return checked.map((one) => {
    if (one instanceof CodedError || one.input.password === undefined) return one;
    return { ...one, passwordHash: hashes.get(one.input.password ?? '') ?? null };
  });
}

async function hashed(password: string): Promise<string> {
  return (await hashingTurns(() => hashPassword(normalized(password)))) as string;
}

/** Keyboards differ in how they write the same letter (é as one character or two): NIST SP 800-63B asks for this. */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
