import { hash, verify } from '@node-rs/argon2';

/**
 * OWASP's second recommendation for argon2id (19 MiB, two passes, one lane): about 20 ms of a core and of one of Node's four
 * threads, by which redirects write their clicks too. People who sign in, who give links passwords and who follow such links
 * have one thread each: none of them can starve the others, and one thread is left.
 */
/** Algorithm.Argon2id; the package's enum cannot be imported one file at a time. */
const ARGON2ID = 2;
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

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
