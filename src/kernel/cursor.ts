import { createHash } from 'node:crypto';
import { CodedError } from './errors.ts';

const INVALID = 'The cursor is invalid.';

/** The sort values of the last row of a page; the next page begins after them. */
export type CursorPosition = (string | number | null)[];

/** An opaque cursor for a position in a list. It is only valid for the same `list`: its filters, sort and owner. */
export function encodeCursor(list: unknown, position: CursorPosition): string {
  return Buffer.from(JSON.stringify([fingerprint(list), ...position])).toString('base64url');
}

/** The position in a cursor. Throws `invalid_request` when it is damaged or belongs to another list. */
export function decodeCursor(list: unknown, cursor: string, length: number): CursorPosition {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed.length !== length + 1) throw refused(INVALID);
  const [mark, ...position] = parsed;
  if (mark !== fingerprint(list)) {
    throw refused('The cursor belongs to another list, filter or sort. Start again without a cursor.');
  }
  if (!position.every((value) => value === null || typeof value === 'string' || typeof value === 'number')) {
    throw refused(INVALID);
  }
  return position;
}

function fingerprint(list: unknown): string {
  return createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 12);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return null;
  }
}

function refused(message: string): CodedError {
  return new CodedError('invalid_request', message);
}
