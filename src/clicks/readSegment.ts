import { createReadStream } from 'node:fs';

const NEWLINE = 0x0a;

/**
 * The lines of a sealed segment, at most `linesPerChunk` at a time. What follows the last newline was torn off by a
 * crash or a full disk before anybody was told that it is written: it is left out and `onTorn` gets its bytes.
 */
export async function* readSegment(
  file: string,
  linesPerChunk: number,
  onTorn: (bytes: number) => void,
): AsyncGenerator<string[], void, void> {
  let torn: Buffer[] = [];
  let lines: string[] = [];
  for await (const data of createReadStream(file) as AsyncIterable<Buffer>) {
    const end = data.lastIndexOf(NEWLINE);
    if (end < 0) {
      torn.push(data);
      continue;
    }
    // Cut at a newline before decoding, so that no character is cut in two.
    lines = lines.concat(
      Buffer.concat([...torn, data.subarray(0, end)])
        .toString()
        .split('\n'),
    );
    torn = end + 1 < data.length ? [data.subarray(end + 1)] : [];
    let at = 0;
    for (; lines.length - at >= linesPerChunk; at += linesPerChunk) yield lines.slice(at, at + linesPerChunk);
    lines = lines.slice(at);
  }
  if (lines.length > 0) yield lines;
  if (torn.length > 0) onTorn(Buffer.concat(torn).length);
}
