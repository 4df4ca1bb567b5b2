import { createHash } from 'node:crypto';
import { CodedError } from './errors.ts';

/** The sort values of the last row that was given out; the next page begins after them. */
export type CursorPosition = (string | number | null)[];

/** An opaque cursor, bound to the question it belongs to (filters, sort, owner). */
export function encodeCursor(question: unknown, position: CursorPosition): string {
  return Buffer.from(JSON.stringify([fingerprint(question), ...position])).toString('base64url');
}

/** The position inside a cursor. Throws `invalid_request` when it is damaged or belongs to another question. */
export function decodeCursor(question: unknown, cursor: string, length: number): CursorPosition {
  const parsed = parse(cursor);
  if (!Array.isArray(parsed) || parsed.length !== length + 1) throw refused('The cursor is not one of ours.');
  const [mark, ...position] = parsed;
  if (mark !== fingerprint(question)) {
    throw refused('The cursor belongs to another list, filter or sort. Start again without a cursor.');
  }
  if (!position.every((value) => value === null || typeof value === 'string' || typeof value === 'number')) {
    throw refused('The cursor is not one of ours.');
  }
  return position;
}

function fingerprint(question: unknown): string {
  return createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 12);
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
