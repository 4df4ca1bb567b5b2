import { createHash, createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may think about it. */
const VALID_MS = 600_000;
export const VALID_MINUTES = VALID_MS / 60_000;

/** What somebody confirms: this key, this tool, these arguments. */
export interface Facts {
  keyId: string;
  tool: string;
  /** Of the arguments, without the confirmation itself. */
  digest: string;
}

/** A confirmation that holds. `name`: of this one alone, by which it can be used once. */
export interface Confirmation {
  name: string;
  endsAtMs: number;
}

/**
 * A signed statement that these facts were shown, to be handed back: `requestState` of the protocol, or the code for clients
 * that cannot ask a person. It is signed with a key that all processes share, and holds nothing of the arguments.
 */
export function signFacts(facts: Facts, keys: readonly KeyObject[], nowMs: number, validMs = VALID_MS): string {
  const salt = randomBytes(6).toString('base64url');
  const endsAt = Math.ceil((nowMs + validMs) / 1000).toString(36);
  return `${endsAt}-${salt}${mac(facts, endsAt, salt, keys[0] as KeyObject)}`;
}

/** The confirmation in a statement; null when it is of other facts, of another installation, or over. */
export function confirmationOf(
  stated: string,
  facts: Facts,
  keys: readonly KeyObject[],
  nowMs: number,
): Confirmation | null {
  const [, endsAt = '', salt = '', given = ''] = /^([0-9a-z]{6,9})-([\w-]{8})([\w-]{16})$/.exec(stated) ?? [];
  if (!given) return null;
  const endsAtMs = Number.parseInt(endsAt, 36) * 1000;
  const isSigned = keys.some((key) => isSame(given, mac(facts, endsAt, salt, key)));
  return isSigned && endsAtMs > nowMs ? { name: `${endsAt}-${salt}`, endsAtMs } : null;
}

/** The same arguments have the same digest, in whatever order their names are. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonical(value)).digest('base64url');
}

function mac({ keyId, tool, digest }: Facts, endsAt: string, salt: string, key: KeyObject): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([keyId, tool, digest, endsAt, salt]))
    .digest('base64url')
    .slice(0, 16);
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`)
    .join()}}`;
}
