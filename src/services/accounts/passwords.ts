import { hash, verify } from '@node-rs/argon2';
import { atMost } from '../../kernel/atMost.ts';

/** OWASP's second recommendation for argon2id (19 MiB, two passes, one lane); about 20 ms of one core. */
/** Algorithm.Argon2id; the package's enum cannot be imported one file at a time. */
const ARGON2ID = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Whoever signs in and whoever gives links passwords takes turns here: it costs a core and one of Node's four threads. */
export const hashingTurns = atMost(1);

export function hashPassword(password: string): Promise<string> {
  return hash(password, OPTIONS);
}

/** Whether the password is right. Takes as long for a user that does not exist (`stored` null) as for one that does. */
export async function isPasswordRight(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('no password is this', OPTIONS);
  const right = await verify(stored ?? (await decoy), password);
  return right && stored !== null;
}

let decoy: Promise<string> | undefined;
