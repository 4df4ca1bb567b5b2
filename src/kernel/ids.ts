import { createHash, randomFillSync } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';
import { clock } from './clock.ts';

/** The prefixes of ids. An id is a TypeID: a prefix, `_`, and a UUIDv7 in Crockford's base32 (26 characters). */
export type IdPrefix =
  | 'team'
  | 'usr'
  | 'prj'
  | 'lnk'
  | 'tag'
  | 'key'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'clk'
  | 'alt'
  | 'imp'
  | 'dom'
  | 'ins'
  | 'orp'
  | 'bat'
  | 'inv'
  | 'aud'
  | 'mail'
  | 'hlt'
  | 'arr';

/** A new id. Ids sort by the time of their creation. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Whether `value` is a well-formed id with that prefix. */
export function isId(prefix: IdPrefix, value: string): boolean {
  if (value.length !== prefix.length + 27 || !value.startsWith(`${prefix}_`)) return false;
  try {
    TypeID.fromString(value, prefix);
    return true;
  } catch {
    return false;
  }
}

/** The UUID in an id. */
export function toUuid(id: string): string {
  return TypeID.fromString(id).toUUID();
}

/** The id with that prefix and this UUID. */
export function idOfUuid(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/** The same UUID with another prefix: the event of a click has the click's UUID. */
export function sameUuid(prefix: IdPrefix, id: string): string {
  return idOfUuid(prefix, toUuid(id));
}

/**
 * An id that is computed from its parts: the same parts always make the same id, so repeated work is harmless. It keeps
 * the time of the id `first`, so that derived rows are inserted in the order of an index.
 */
export function deriveId(prefix: IdPrefix, first: string, ...others: string[]): string {
  return TypeID.fromUUID(prefix, deriveUuid(first, ...others)).toString();
}

/** Like `deriveId`, but returns the UUID alone. */
function deriveUuid(first: string, ...others: string[]): string {
  const time = toUuid(first).replaceAll('-', '').slice(0, 12);
  const hash = createHash('sha256')
    .update([first, ...others].join('\n'))
    .digest('hex');
  const hex = `${time}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The smallest id with that prefix at a time in milliseconds: all older ids sort before it. */
export function firstIdAt(prefix: IdPrefix, epochMs: number): string {
  const time = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return TypeID.fromUUID(prefix, `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`).toString();
}

/** The time of an id in milliseconds. */
export function timeOfId(id: string): number {
  return Number.parseInt(toUuid(id).replaceAll('-', '').slice(0, 12), 16);
}

/** Crockford's base32, as TypeIDs use it, in its order. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

class ClickIds {
  /** Random bytes for many ids, fetched at once. */
  readonly #pool = new Uint8Array(16 * 512);
  #used = this.#pool.length;
  #lastMs = -1;
  #timePart = '';

  next(): string {
    const nowMs = clock.now();
    if (nowMs !== this.#lastMs) {
      this.#lastMs = nowMs;
      this.#timePart = timeCharacters(nowMs);
    }
    if (this.#used === this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    // The version (7) and the variant are fixed bits in the first and the fourth of these characters.
    const [first, fourth] = [ALPHABET[14 | (this.#byte() & 1)], ALPHABET[(this.#byte() & 19) | 8]];
    let id = this.#timePart + first + this.#random() + this.#random() + fourth;
    for (let more = 0; more < 12; more += 1) id += this.#random();
    return id;
  }

  #byte(): number {
    const value = this.#pool[this.#used] as number;
    this.#used += 1;
    return value;
  }

  #random(): string {
    return ALPHABET[this.#byte() & 31] as string;
  }
}

const clickIds = new ClickIds();

/**
 * A `clk_` id as `newId('clk')` makes it, at a fifth of the cost: every redirect needs one. Of the 128 bits of a UUIDv7 the
 * first 48 are the time – ten characters, which are reused for a whole millisecond – and 74 are random.
 */
export function newClickId(): string {
  return clickIds.next();
}

function timeCharacters(ms: number): string {
  let text = '';
  for (let rest = ms, place = 0; place < 10; place += 1, rest = Math.floor(rest / 32))
    text = ALPHABET[rest % 32] + text;
  return `clk_${text}`;
}
