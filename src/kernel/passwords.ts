import { hash, verify } from '@node-rs/argon2';
import { once } from './memoize.ts';

/** Algorithm.Argon2id; the package's enum cannot be imported one file at a time. */
const ARGON2ID = 2;
/**
 * OWASP's second recommendation for argon2id (19 MiB, two passes, one lane): about 20 ms of a core and of one of Node's four
 * threads, which also write the clicks of redirects. Sign-ins, new link passwords and visitors who enter a link password
 * have one thread each, so that none of them can starve the others and one thread is left.
 */
const OPTIONS = { algorithm: ARGON2ID, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** For users who do not exist. */
const decoy = once(() => hash('no password is this', OPTIONS));

/** The hash to store, in PHC format. */
export function hashPassword(password: string): Promise<string> {
  return hash(normalized(password), OPTIONS);
}

/** Whether the password matches `stored`. Takes equally long where there is no user (`stored` null). */
export async function isPasswordRight(stored: string | null, password: string): Promise<boolean> {
  const instead = decoy();
  const right = await verify(stored ?? (await instead), normalized(password));
  return right && stored !== null;
}

/** NIST SP 800-63B asks for this: keyboards differ in how they encode a letter (é as one character or as two). */
function normalized(password: string): string {
  return password.normalize('NFKC');
}
