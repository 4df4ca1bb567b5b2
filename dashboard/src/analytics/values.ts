/** How the unknown value is written, which rows have as null. */
const UNKNOWN = 'null';

/** A key as filters write it: a backslash takes its meaning from a comma, a minus in front, a space at an edge, and itself. */
export function writtenValue(key: string | null): string {
  if (key === null) return UNKNOWN;
  if (key === UNKNOWN) return `\\${UNKNOWN}`;
  return key.replace(/[\\,]/g, '\\$&').replace(/^[-\s]|\s$/g, '\\$&');
}

/** The key that is written so; null is the unknown one. */
export function keyOf(written: string): string | null {
  if (written === UNKNOWN) return null;
  return written === `\\${UNKNOWN}` ? UNKNOWN : written.replace(/\\([\\,\-\s])/g, '$1');
}

/** The values of a filter as they are written in it, without the minus of those that are left out. */
export function writtenValues(text: string): { values: string[]; isExcluding: boolean } {
  const isExcluding = text.startsWith('-');
  const pieces = (isExcluding ? text.slice(1) : text).match(/(?:\\[\\,]|[^,])+/g) ?? [];
  return { values: pieces.filter((piece) => piece.trim() !== ''), isExcluding };
}
