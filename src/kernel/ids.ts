import { createHash } from 'node:crypto';
import { TypeID, typeid } from 'typeid-js';

/** Prefix of every kind of id. An id is a TypeID: prefix, `_`, UUIDv7 in Crockford base32 (26 characters). */
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
  | 'hlt';

/** A new id, ordered by the time of its making. */
export function newId(prefix: IdPrefix): string {
  return typeid(prefix).toString();
}

/** Whether `value` is a well-formed id of that kind. */
export function isId(prefix: IdPrefix, value: string): boolean {
  if (value.length !== prefix.length + 27 || !value.startsWith(`${prefix}_`)) return false;
  try {
    TypeID.fromString(value, prefix);
    return true;
  } catch {
    return false;
  }
}

/** The UUID inside an id, as pg-boss wants its job ids. */
export function toUuid(id: string): string {
  return TypeID.fromString(id).toUUID();
}

/** The id of that kind with this UUID. */
export function idOfUuid(prefix: IdPrefix, uuid: string): string {
  return TypeID.fromUUID(prefix, uuid).toString();
}

/** The same UUID under another prefix: a click's event has the id of the click. */
export function sameUuid(prefix: IdPrefix, id: string): string {
  return idOfUuid(prefix, toUuid(id));
}

/**
 * An id that is a function of its meaning: the same parts give the same id, so that doing a thing twice is harmless.
 * It keeps the time of the first part, so that derived rows stay in order in an index.
 */
export function deriveId(prefix: IdPrefix, first: string, ...others: string[]): string {
  return TypeID.fromUUID(prefix, deriveUuid(first, ...others)).toString();
}

/** As `deriveId`, but the bare UUID. */
export function deriveUuid(first: string, ...others: string[]): string {
  const time = toUuid(first).replaceAll('-', '').slice(0, 12);
  const hash = createHash('sha256')
    .update([first, ...others].join('\n'))
    .digest('hex');
  const hex = `${time}7${hash.slice(0, 3)}8${hash.slice(3, 18)}`;
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The least id of that kind that is made at that moment (milliseconds): all older ones sort before it. */
export function firstIdAt(prefix: IdPrefix, epochMs: number): string {
  const time = Math.max(0, Math.floor(epochMs)).toString(16).padStart(12, '0');
  return TypeID.fromUUID(prefix, `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`).toString();
}
