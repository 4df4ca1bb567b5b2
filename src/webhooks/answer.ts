import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';

const MAX_BYTES_READ = 64 * 1024;
const MAX_BYTES_KEPT = 4 * 1024;
const MAX_HEADERS_KEPT = 50;
const MAX_HEADER_BYTES = 1024;

export interface AnswerBody {
  /** The first 4 KiB. */
  text: string;
  /** Why the body ended before its end; null when it was complete, or longer than anybody wants to read. */
  failure: unknown;
}

/** Reads at most 64 KiB and lets go of the rest, and with it of the connection. Never rejects. */
export async function readBody(body: Readable): Promise<AnswerBody> {
  // Destroying a body that is not at its end raises an error that nobody waits for.
  body.on('error', () => {});
  const kept: Buffer[] = [];
  let bytesRead = 0;
  let failure: unknown = null;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytesRead < MAX_BYTES_KEPT) kept.push(chunk.subarray(0, MAX_BYTES_KEPT - bytesRead));
      bytesRead += chunk.length;
      if (bytesRead > MAX_BYTES_READ) break;
    }
  } catch (error) {
    failure = error;
  }
  return { text: storable(Buffer.concat(kept), bytesRead > MAX_BYTES_KEPT), failure };
}

/** What is kept of the headers: the first 50, each value cut at 1 KiB, repeated ones joined by commas. */
export function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).slice(0, MAX_HEADERS_KEPT);
  return Object.fromEntries(kept.map(([name, value]) => [name.slice(0, MAX_HEADER_BYTES), headerText(String(value))]));
}

function headerText(value: string): string {
  const bytes = Buffer.from(value);
  return storable(bytes.subarray(0, MAX_HEADER_BYTES), bytes.length > MAX_HEADER_BYTES);
}

/** PostgreSQL takes no NUL in text. In stream mode the decoder leaves out a character that the cut went through. */
function storable(bytes: Buffer, isCut: boolean): string {
  return new TextDecoder().decode(bytes, { stream: isCut }).replaceAll('\u0000', '\ufffd');
}
