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

/** In UTF-8, where not every device has a TextEncoder. Half surrogate pairs are not in JSON. */
export function bytesOf(text: string): number {
  return text
    .replace(/[\ud800-\udbff][\udc00-\udfff]/g, '____')
    .replace(/[\u0800-\uffff]/g, '___')
    .replace(/[\x80-\u07ff]/g, '__').length;
}
