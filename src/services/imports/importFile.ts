import { createReadStream } from 'node:fs';
import type { Transaction } from '../../db/sequelize.ts';
import { ImportChunk } from '../../models/ImportChunk.ts';

/** Begins to read a file anew each time; in pieces of at most PIECE bytes. */
export type CsvSource = () => AsyncIterable<Buffer>;

/** Small enough that looking through one does not hold up redirects. */
const PIECE = 256 * 1024;

/** The file that was spooled to disk, or that came as text; null when there is neither. */
export function sourceOf(spooled: { path: string } | undefined, text: string | null | undefined): CsvSource | null {
  if (spooled) return () => createReadStream(spooled.path, { highWaterMark: PIECE });
  return typeof text === 'string' ? () => pieces(Buffer.from(text)) : null;
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/** Puts a file into the store, so that any process can run its import. */
export async function storeFile(
  importId: string,
  file: AsyncIterable<Buffer>,
  transaction: Transaction,
): Promise<void> {
  let number = 0;
  for await (const bytes of file) {
    await ImportChunk.create({ importId, number, bytes }, { transaction });
    number += 1;
  }
}

/** Reads it back, one piece at a time. */
export async function* readFile(importId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const chunk = await ImportChunk.findOne({ where: { importId, number } });
    if (!chunk) return;
    yield chunk.bytes;
  }
}

export async function deleteFile(importId: string, transaction: Transaction): Promise<void> {
  await ImportChunk.destroy({ where: { importId }, transaction });
}
