/** `{"install_id":"…","events":[]}`, some more. */
const ENVELOPE_BYTES = 100;

/** The first lines, at most so many, that fit into a body of so many bytes. */
export function takeBatch(lines: readonly string[], maxCount: number, maxBytes: number): string[] {
  let bytes = ENVELOPE_BYTES;
  const end = lines.findIndex((line, at) => {
    bytes += bytesOf(line) + 1;
    return at >= maxCount || bytes > maxBytes;
  });
  return lines.slice(0, end < 0 ? lines.length : end);
}

/** At most: each UTF-16 unit beyond ASCII counts as the three bytes that it can have. */
export function bytesOf(text: string): number {
  return text.replace(/[^\0-\x7f]/g, '___').length;
}
