import { limitConcurrency } from '../kernel/concurrency.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { hashPassword, isPasswordRight } from '../kernel/passwords.ts';
import { currentOutcome, throwIfEnded } from '../kernel/requestOutcome.ts';
import type { LinkInput } from './linkInput.ts';

/** In characters, as the rule of the field says. */
export const MAX_PASSWORD_LENGTH = 200;

/** Visitors who wait for their password to be checked, which takes the last of them a second or two. */
const MAX_WAITING = 64;
/** Calls of one project that wait for a hash; each call hashes one password at a time. */
const MAX_CALLS_OF_PROJECT = 20;
/** Different passwords in one call: half a second of a core. */
const MAX_OF_CALL = 20;

/** Requests are refused and can be repeated; imports wait as long as it takes. */
export type WhenBusy = 'refuse' | 'wait';

const checking = limitConcurrency(1, MAX_WAITING);
const hashing = limitConcurrency(1);
/** By project: the number of calls that wait for a hash. */
const waitingCalls = new Map<string, number>();

/** Whether a visitor's password matches the stored hash; null when too many checks are waiting. */
export function isLinkPassword(stored: string, given: string): Promise<boolean> | null {
  return checking(() => isPasswordRight(stored, given));
}

/**
 * Adds password hashes to the inputs that passed all checks so far; called before the transaction. A null password clears
 * the hash, an undefined one keeps it. A password that several links share is hashed once. Stops when the request has
 * ended. Throws `rate_limited` when too many calls of the project wait, unless the caller can wait.
 */
export async function hashLinkPasswords<One extends { input: LinkInput }>(
  projectId: string,
  checked: (One | CodedError)[],
  whenBusy: WhenBusy,
): Promise<((One & { passwordHash?: string | null }) | CodedError)[]> {
  const hashes = new Map<string, string>();
  for (const one of checked) {
    const password = one instanceof CodedError ? null : one.input.password;
    // One at a time: a change of a single link then waits for one hash of this list, not for all of them.
    if (password && !hashes.has(password)) hashes.set(password, await hashed(projectId, password, whenBusy));
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

async function hashed(projectId: string, password: string, whenBusy: WhenBusy): Promise<string> {
  const others = waitingCalls.get(projectId) ?? 0;
  if (others >= MAX_CALLS_OF_PROJECT && whenBusy === 'refuse') {
    const message =
      'Too many requests of this project are waiting for passwords to be hashed. Try again in a few seconds.';
    throw new CodedError('rate_limited', message, { retryAfterSeconds: 2 });
  }
  const request = currentOutcome();
  waitingCalls.set(projectId, others + 1);
  try {
    return (await hashing(async () => {
      throwIfEnded(request);
      return hashPassword(password);
    })) as string;
  } finally {
    const left = (waitingCalls.get(projectId) ?? 1) - 1;
    if (left > 0) waitingCalls.set(projectId, left);
    else waitingCalls.delete(projectId);
  }
}
