import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { chunksOf } from '../kernel/chunks.ts';
import { clock } from '../kernel/clock.ts';
import type { Config } from '../kernel/config.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import type { ChangeStream } from './ChangeStream.ts';
import { loadOwners } from './domainApps.ts';
import type { FollowCounts } from './FollowCounts.ts';
import { loadSharedApps } from './followChanges.ts';
import { loadDomains } from './linkDomains.ts';
import { loadRows, queryForRedirects } from './loadLink.ts';
import { snapshotFile, snapshotFolder } from './readSnapshot.ts';
import { FORMAT, type StateLine, sealed, textOf } from './snapshotLines.ts';

/** Links that are read in one statement: about 10 ms. */
const CHUNK = 500;

/** What decides which links are in a snapshot, and their order. */
interface Known {
  counts: FollowCounts;
  /** The ids of the links in memory, the last followed ones first. */
  inMemory: () => string[];
}

/**
 * Writes a snapshot, whole or not at all: the file gets its name when its last line is written. Only then the changes before it
 * are deleted. Throws if the store or the disk fails.
 */
export async function writeSnapshot(config: Config, stream: ChangeStream, known: Known): Promise<void> {
  const folder = snapshotFolder(config);
  const part = `${snapshotFile(folder)}.part`;
  // Before anything is read: what changes from here on is in the stream of this generation.
  const generation = await stream.beginSnapshot();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    await writePart(part, generation, config, known);
  } catch (error) {
    // A disk that is full has better use for the room.
    await rm(part, { force: true }).catch(() => {});
    throw error;
  }
  await rename(part, snapshotFile(folder));
  // The changes of this generation may have been given up while it was written.
  if (stream.isGivenUp) return void (await rm(snapshotFile(folder), { force: true }));
  await syncFolder(folder);
  await stream.dropBefore(generation);
}

async function writePart(part: string, generation: number, config: Config, known: Known): Promise<void> {
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  try {
    await handle.appendFile(textOf([{ start: FORMAT, generation, at: new Date(clock.now()).toISOString() }]));
    await handle.appendFile(textOf(await domainLines()));
    await putLinks(handle, await idsToKeep(config, known), known.counts);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function domainLines(): Promise<StateLine[]> {
  const lines: StateLine[] = [];
  for (const domains of chunksOf(await loadDomains(), CHUNK)) {
    const projects = [...new Set(domains.map(({ projectId }) => projectId as string))];
    const owners = await loadOwners(projects);
    for (const project of projects) lines.push({ project, owner: owners.get(project) ?? null });
    for (const domain of domains) lines.push({ domain });
  }
  return [...lines, { shared: await loadSharedApps() }];
}

/** The most followed links, then the others in memory, which may have come from an earlier snapshot, then the newest. */
async function idsToKeep({ linkSnapshotEntries }: Config, { counts, inMemory }: Known): Promise<string[]> {
  const newest = await queryForRedirects<{ id: string }>('SELECT id FROM links ORDER BY id DESC LIMIT $1', [
    linkSnapshotEntries,
  ]);
  const ids = new Set<string>();
  const breathe = yieldToEventLoop();
  for (const some of [await counts.ranked(), inMemory(), newest.map(({ id }) => id)]) {
    for (const [at, id] of some.entries()) {
      if (ids.size === linkSnapshotEntries) return [...ids];
      ids.add(id);
      if (at % CHUNK === 0) await breathe();
    }
  }
  return [...ids];
}

async function putLinks(handle: FileHandle, ids: readonly string[], counts: FollowCounts): Promise<void> {
  let links = 0;
  for (const some of chunksOf(ids, CHUNK)) {
    const rows = new Map((await loadRows(some)).map((row) => [row.id, row]));
    links += rows.size;
    const inOrder = some.flatMap((id) => rows.get(id) ?? []);
    await handle.appendFile(
      textOf(inOrder.map((link) => ({ follows: Math.round(counts.of(link.id) * 100) / 100, link: sealed(link) }))),
    );
  }
  await handle.appendFile(textOf([{ end: links }]));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
