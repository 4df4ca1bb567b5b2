import { createReadStream } from 'node:fs';
import path from 'node:path';

const NEWLINE = 0x0a;

/**
 * The lines of a sealed segment, at most `linesPerChunk` at a time. What follows the last newline was torn off by a
 * crash or a full disk before anybody was told that it is written: it is left out, with a warning. So is a file that
 * somebody deleted, lest its name be tried for ever.
 */
export async function* readSegment(
  file: string,
  linesPerChunk: number,
  onWarning: (message: string) => void,
): AsyncGenerator<string[], void, void> {
  let torn: Buffer[] = [];
  let lines: string[] = [];
  try {
    for await (const data of createReadStream(file) as AsyncIterable<Buffer>) {
      const end = data.lastIndexOf(NEWLINE);
      // Cut at a newline before decoding, so that no character is cut in two.
      if (end >= 0) lines = lines.concat(decode([...torn, data.subarray(0, end)]).split('\n'));
      torn = end < 0 ? [...torn, data] : [data.subarray(end + 1)];
      let at = 0;
      for (; lines.length - at >= linesPerChunk; at += linesPerChunk) yield lines.slice(at, at + linesPerChunk);
      lines = lines.slice(at);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    onWarning(`Segment ${path.basename(file)} of the click journal is gone, its clicks are lost`);
  }
  if (lines.length > 0) yield lines;
  const bytes = torn.reduce((sum, piece) => sum + piece.length, 0);
  if (bytes > 0) onWarning(`Segment ${path.basename(file)} of the click journal ends in a torn line of ${bytes} bytes`);
}

function decode(pieces: Buffer[]): string {
  return Buffer.concat(pieces).toString();
}
