import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { Gauge } from 'prom-client';
import { clock } from '../../kernel/clock.ts';
import { registry } from '../../kernel/metrics.ts';
import { decodeClick } from '../click.ts';
import { LINES_PER_CHUNK } from '../journal.ts';
import type { Segments } from '../moveSegment.ts';
import { isSegment, readSegment } from '../segment.ts';

/** Says in the folder of a journal which process writes it, for others that find the folder. */
const OWNER = 'owner.json';

/** The name of a journal in the store: the same after a restart. */
export function nameOfJournal(folder: string): string {
  return createHash('sha256').update(`${hostname()} ${folder}`).digest('base64url').slice(0, 22);
}

/** Writes into a journal's folder which process writes it. A crash leaves the former text or the new one. */
export async function signFolder(folder: string): Promise<void> {
  const draft = path.join(folder, `${OWNER}.${process.pid}`);
  const owner = { name: nameOfJournal(folder), host: hostname(), folder };
  await writeFile(draft, `${JSON.stringify(owner)}\n`, { mode: 0o600 });
  await rename(draft, path.join(folder, OWNER));
}

/** The name in the store of the journal in a folder, which may have been moved here; null when nothing says it. */
export async function ownerOf(folder: string): Promise<string | null> {
  try {
    const { name } = JSON.parse(await readFile(path.join(folder, OWNER), 'utf8'));
    return typeof name === 'string' ? name : null;
  } catch {
    return null;
  }
}

/** What is in the folder of a journal. */
export interface FolderState {
  bytes: number;
  /** When the oldest click was made; null when that cannot be read. */
  oldestMs: number | null;
  /** When something was last written to it; 0 when it has no clicks. */
  writtenMs: number;
}

/** Looks into the folder of a journal, also while its process writes. A folder that does not exist is empty. */
export async function lookInto(folder: string): Promise<FolderState> {
  const state: FolderState = { bytes: 0, oldestMs: null, writtenMs: 0 };
  for (const name of await segmentsIn(folder)) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (!found || found.size === 0) continue;
    if (state.bytes === 0) state.oldestMs = await firstClick(path.join(folder, name));
    state.bytes += found.size;
    state.writtenMs = Math.max(state.writtenMs, found.mtimeMs);
  }
  return state;
}

/** Shows in /metrics how long the oldest click of this process has been waiting in the journal. */
export function showJournalAge(folder: string): void {
  const name = 'svc_click_journal_oldest_seconds';
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help: 'Age of the oldest click in the journal of this process; 0 if it is empty.',
    registers: [registry],
    async collect() {
      // While the disk fails, the last figure is shown.
      const found = await lookInto(folder).catch(() => null);
      if (found) this.set(found.oldestMs === null ? 0 : Math.max(0, clock.now() - found.oldestMs) / 1000);
    },
  });
}

async function firstClick(file: string): Promise<number | null> {
  for await (const [line] of readSegment(file, 1, () => {})) return decodeClick(line ?? '')?.occurredAt ?? null;
  return null;
}

/** Names of the segments in a folder, oldest first. */
export async function segmentsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
    throw error;
  });
  return names.filter(isSegment).sort();
}

/** The segments of a journal that no process writes. Nothing is created in its folder. */
export function leftSegments(folder: string, onWarning: (message: string) => void): Segments {
  return {
    seal: () => segmentsIn(folder),
    read: (segment, linesPerChunk = LINES_PER_CHUNK) =>
      readSegment(path.join(folder, segment), linesPerChunk, onWarning),
    remove: (segment) => rm(path.join(folder, segment), { force: true }),
  };
}
