import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Ask, SvcAnswer } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';
import type { Operation } from '../describeOperations.ts';
import { usageError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';
import { replaceFile } from '../replaceFile.ts';

/** Writes a file that was answered. An image is not written to a terminal. */
export async function printFile(
  context: Context,
  { bytes, mediaType }: SvcAnswer,
  to: string | undefined,
): Promise<number> {
  if (to !== undefined && to !== '-') {
    await replaceFile(to, bytes);
    context.output.note(`Wrote ${to} (${bytes.length} bytes).`);
    return EXIT.done;
  }
  if (context.output.isTty && mediaType !== 'image/svg+xml') {
    throw usageError(`This is ${mediaType}, and stdout is a terminal.`, 'Say where to write it: -o file.');
  }
  process.stdout.write(bytes);
  return EXIT.done;
}

/** Writes an answer while it comes, however long it is. */
export async function printStream(
  context: Context,
  operation: Operation,
  ask: Ask,
  to: string | undefined,
): Promise<number> {
  const { stream } = await context.request(operation, { ...ask, isStreamed: true });
  if (!stream) return EXIT.done;
  const { signal } = context;
  const parts = Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0], { signal });
  if (to === undefined || to === '-') {
    await pipeline(parts, process.stdout, { end: false, signal });
    return EXIT.done;
  }
  await replaceFile(to, parts);
  context.output.note(`Wrote ${to}.`);
  return EXIT.done;
}
