import { createReadStream, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { type Snapshot, SnapshotState } from './SnapshotState.ts';
import { FORMAT, type Line, type Start } from './snapshotLines.ts';

export function snapshotFolder({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'links');
}

export function snapshotFile(folder: string): string {
  return path.join(folder, 'snapshot');
}

/** The file of what has changed since a snapshot of that generation was begun, or since a stream before it ended. */
export function streamFile(folder: string, generation: number): string {
  return path.join(folder, `changes-${generation}`);
}

/** The generations of the streams of changes in the folder, oldest first. */
export async function streamsIn(folder: string): Promise<number[]> {
  const names = await readdir(folder).catch(() => []);
  const found = names.flatMap((name) => /^changes-(\d+)$/.exec(name)?.[1] ?? []);
  return found.map(Number).sort((a, b) => a - b);
}

/** The snapshot in DATA_DIR with the changes after it; null where there is none of this version, or none is kept any more. */
export async function readSnapshot(config: Config): Promise<Snapshot | null> {
  const folder = snapshotFolder(config);
  const file = snapshotFile(folder);
  if (config.linkSnapshotEntries === 0 || !existsSync(file)) return null;
  try {
    const state = new SnapshotState();
    const generation = await readWhole(file, state);
    for (const later of await streamsIn(folder))
      if (later >= generation) await readChanges(streamFile(folder, later), state);
    return state.result();
  } catch (error) {
    log.warn({ err: error, file }, 'the snapshot of links cannot be used');
    return null;
  }
}

/** Returns the generation. */
async function readWhole(file: string, state: SnapshotState): Promise<number> {
  let generation: number | null = null;
  let links = 0;
  let isWhole = false;
  for await (const text of linesOf(file)) {
    const line = JSON.parse(text) as Line;
    if ('start' in line) generation = generationOf(line);
    if (generation === null) throw new Error('it was written by another version');
    if ('link' in line) links += 1;
    if ('end' in line) isWhole = line.end === links;
    state.apply(line);
  }
  if (generation === null || !isWhole) throw new Error('it is not whole');
  return generation;
}

/** A line is torn where the process was killed or the disk was full; in the latter case it follows once more. */
async function readChanges(file: string, state: SnapshotState): Promise<void> {
  let isOurs = false;
  let torn = 0;
  for await (const text of linesOf(file)) {
    const line = parsed(text);
    if (line === null) torn += text === '' ? 0 : 1;
    else if ('start' in line) isOurs = generationOf(line) !== null;
    else if (isOurs) state.apply(line);
    else throw new Error('changes after it were written by another version');
  }
  if (torn > 0) log.warn({ file, torn }, 'lines of changes of links are torn and were left out');
}

function generationOf({ start, generation }: Start): number | null {
  return start === FORMAT ? generation : null;
}

function parsed(text: string): Line | null {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? (line as Line) : null;
  } catch {
    return null;
  }
}

function linesOf(file: string): AsyncIterable<string> {
  return createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
}

/** What `readCounts` finds of a snapshot, without what else a line says of a link. */
const COUNTED = /^\{"follows":([\d.]+),"link":\{"id":"([^"]+)"/;

/** The generation of the snapshot in the folder, whichever version wrote it, and when it was begun; null if there is none. */
export async function readStart(folder: string): Promise<Start | null> {
  for await (const text of existingLines(folder)) {
    const line = parsed(text);
    return line && 'start' in line && Number.isSafeInteger(line.generation) ? line : null;
  }
  return null;
}

/** How often links were followed through the process that wrote the snapshot, which may have ended long ago. */
export async function* readCounts(folder: string): AsyncIterable<[linkId: string, follows: number]> {
  for await (const text of existingLines(folder)) {
    const [, follows, linkId] = COUNTED.exec(text) ?? [];
    if (linkId !== undefined) yield [linkId, Number(follows)];
  }
}

async function* existingLines(folder: string): AsyncIterable<string> {
  const file = snapshotFile(folder);
  if (existsSync(file)) yield* linesOf(file);
}
