import { randomBytes } from 'node:crypto';

/** Crockford's base32, as ids of the server have it. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const RANDOM_CHARACTERS = 16;
const TIME_CHARACTERS = 10;

/** An id like those of the server, which begin with their time. `local_…` names a delivery that the server knows nothing of. */
export function localId(prefix: 'evt' | 'local', atMs = Date.now()): string {
  const random = [...randomBytes(RANDOM_CHARACTERS)].map((byte) => ALPHABET[byte & 31]);
  // The version and the variant of a UUIDv7 are fixed bits in these two.
  random[0] = ALPHABET[14 | ((random[0]?.charCodeAt(0) ?? 0) & 1)];
  random[3] = ALPHABET[(ALPHABET.indexOf(random[3] ?? '0') & 19) | 8];
  return `${prefix}_${timeCharacters(atMs)}${random.join('')}`;
}

/** An id before those of all events of that time: a stream after it begins there. */
export function eventIdAt(atMs: number): string {
  return `evt_${timeCharacters(atMs)}e008${'0'.repeat(RANDOM_CHARACTERS - 4)}`;
}

function timeCharacters(atMs: number): string {
  let text = '';
  for (let rest = Math.max(0, Math.floor(atMs)); text.length < TIME_CHARACTERS; rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return text;
}
