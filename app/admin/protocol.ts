import type { Given } from './commands/AdminCommand.ts';

/*
 * A caller and the product send each other lines of JSON through a socket. The product begins with `Hello`, whose fields stay what
 * they are in every release: callers of other releases read it. Then come one `Call`, its `Frame`s, and perhaps a `Cancel`.
 */

/** How long either side waits for the first line of the other: a busy product needs a moment. */
export const HANDSHAKE_MS = 10_000;

/** The longest line of a caller: no command takes more than a few words. */
export const MAX_CALL_BYTES = 64 * 1024;

export interface Hello {
  product: 'svc';
  version: string;
  pid: number;
}

export interface Call {
  /** The release of the caller, which must be that of the product. */
  version: string;
  name: string;
  args: string[];
  folder: string;
  given: Given;
}

export interface Cancel {
  cancel: true;
}

/** What the product sends while a command runs. `end` is the last one; its error is null when all is well. */
export type Frame = { print: string } | { progress: string } | { end: { error: string | null } };

export function isCancel(message: unknown): message is Cancel {
  return isObject(message) && message.cancel === true;
}

export function isCall(message: unknown): message is Call {
  if (!isObject(message) || !Array.isArray(message.args) || !isObject(message.given)) return false;
  const { version, name, folder, args, given } = message;
  const isSetting = (value: unknown) => value === null || typeof value === 'string';
  return (
    [version, name, folder, ...args].every((text) => typeof text === 'string') && Object.values(given).every(isSetting)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A line was longer than allowed. */
export class LineTooLong extends Error {}

/** The lines of a stream, parsed. Throws `LineTooLong`, and a SyntaxError for what is not JSON. */
export async function* readLines<Line>(
  stream: AsyncIterable<string>,
  maxBytes = Number.POSITIVE_INFINITY,
): AsyncGenerator<Line> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if ([...lines, rest].some((line) => Buffer.byteLength(line) > maxBytes)) throw new LineTooLong();
    for (const line of lines) yield JSON.parse(line);
  }
}

export function lineOf(message: Hello | Call | Cancel | Frame): string {
  return `${JSON.stringify(message)}\n`;
}
