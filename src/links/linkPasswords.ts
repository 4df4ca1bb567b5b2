import { shareUsedUp, turnsOf } from '../access/shares.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { hashPassword, isPasswordRight } from '../kernel/passwords.ts';
import { currentOutcome, throwIfEnded } from '../kernel/requestOutcome.ts';
import type { LinkInput } from './linkInput.ts';

/** In characters, as the rule of the field says. */
export const MAX_PASSWORD_LENGTH = 200;

/** Different passwords in one call: half a second of a core. */
const MAX_OF_CALL = 20;

/** Requests are refused and can be repeated; imports wait as long as it takes. */
export type WhenBusy = 'refuse' | 'wait';

const checking = turnsOf('passwordChecks');
const hashing = turnsOf('passwordHashes');

/** Whether a visitor's password matches the stored hash; null when too many checks of the team's links are waiting. */
export function isLinkPassword(teamId: string, stored: string, given: string): Promise<boolean> | null {
  return checking(teamId, () => isPasswordRight(stored, given));
}

/**
 * Adds password hashes to the inputs that passed all checks so far; called before the transaction. A null password clears
 * the hash, an undefined one keeps it. A password that several links share is hashed once. Stops when the request has
 * ended. Throws `rate_limited` when too many calls of the team wait, unless the caller can wait.
 */
export async function hashLinkPasswords<One extends { input: LinkInput }>(
  teamId: string,
  checked: (One | CodedError)[],
  whenBusy: WhenBusy,
): Promise<((One & { passwordHash?: string | null }) | CodedError)[]> {
  const hashes = new Map<string, string>();
  for (const one of checked) {
    const password = one instanceof CodedError ? null : one.input.password;
    // One at a time: a change of a single link then waits for one hash of this list, not for all of them.
    if (password && !hashes.has(password)) hashes.set(password, await hashed(teamId, password, whenBusy));
  }
  return checked.map((one) => {
    if (one instanceof CodedError || one.input.password === undefined) return one;
    return { ...one, passwordHash: hashes.get(one.input.password ?? '') ?? null };
  });
}

/** Throws `validation_failed` for a list with more different passwords than one call may have hashed. */
export function refuseManyPasswords(rows: readonly { password?: unknown }[]): void {
  const seen = new Set<unknown>();
  const problems = rows.flatMap(({ password }, at) => {
    if (typeof password !== 'string' || seen.has(password)) return [];
    seen.add(password);
    const message = `A call takes at most ${MAX_OF_CALL} different passwords. Send the rest in further calls.`;
    return seen.size > MAX_OF_CALL ? [{ path: `links.${at}.password`, message }] : [];
  });
  if (problems.length > 0) throw validationFailed(problems);
}

async function hashed(teamId: string, password: string, whenBusy: WhenBusy): Promise<string> {
  const request = currentOutcome();
  const work = async () => {
    throwIfEnded(request);
    return hashPassword(password);
  };
  const hash = await hashing(teamId, work, whenBusy === 'wait');
  if (hash === null) throw shareUsedUp('passwordHashes', 'team');
  return hash;
}
