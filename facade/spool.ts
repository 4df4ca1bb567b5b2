import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Upload } from '../schema/context.ts';
import { config } from '../src/kernel/config.ts';

/** Deletes what a process that died left behind; DATA_DIR belongs to this one alone. */
export async function forgetUploads(): Promise<void> {
  await rm(uploads(), { recursive: true, force: true });
}

function uploads(): string {
  return path.join(config.dataDir, 'uploads');
}

/**
 * Writes a body to a file while it comes, in constant memory. Null when it is larger than `limit`: then it is read to
 * its end, or up to `drainLimit`, and thrown away.
 */
export async function spool(request: IncomingMessage, limit: number, drainLimit: number): Promise<Upload | null> {
  const folder = uploads();
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, randomUUID());
  const hash = createHash('sha256');
  let bytes = 0;
  const remove = () => rm(file, { force: true });
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > drainLimit) break;
        if (bytes > limit) continue;
        hash.update(chunk);
        await handle.write(chunk);
      }
    } finally {
      await handle.close();
    }
    if (bytes <= limit) return { path: file, bytes, sha256: hash.digest('hex'), remove };
    await remove();
    return null;
  } catch (error) {
    await remove();
    throw error;
  }
}
