import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import { startLoop } from '../kernel/loop.ts';
import { seal, unseal } from '../kernel/secrets.ts';
import { signals } from '../kernel/signals.ts';
import { VERSION } from '../kernel/version.ts';
import { type LinkDomain, loadDomains } from './linkDomains.ts';
import { compileRow, loadRows, queryForRedirects, type RedirectLink, type RedirectRow } from './loadLink.ts';

/** Links and domains as an earlier process knew them. */
export interface Snapshot {
  links: RedirectLink[];
  domains: LinkDomain[];
}

/** Raise it when a line gets another shape. */
const FORMAT = `1 of ${VERSION}`;
/** Links that are read in one statement: about 10 ms. */
const CHUNK = 500;

type Line = { start: string } | { domain: LinkDomain } | { link: RedirectRow } | { end: number };

function fileOf({ dataDir }: Pick<Config, 'dataDir'>): string {
  return path.join(dataDir, 'links', 'snapshot');
}

/**
 * Writes the snapshot of a process that only serves links, now, from time to time, and at its end, when something has changed.
 * `known`: the ids of the links that it follows, which come first.
 */
export function keepSnapshots(config: Config, known: () => string[]): { stop(): Promise<void> } {
  if (config.role !== 'redirect' || config.linkSnapshotEntries === 0) return { stop: async () => {} };
  let hasChanged = true;
  const change = () => {
    hasChanged = true;
  };
  const unsubscribe = [
    ...(['link', 'project', 'domain'] as const).map((topic) => signals.on(topic, change)),
    signals.onMissed(change),
  ];
  const write = async () => {
    if (!hasChanged) return;
    hasChanged = false;
    await writeSnapshot(config, known()).catch((error: unknown) => {
      hasChanged = true;
      log.debug({ err: error }, 'the snapshot of links could not be written');
    });
  };
  const loop = startLoop(write, () => config.linkSnapshotSeconds * 1000, change);
  return {
    async stop() {
      for (const end of unsubscribe) end();
      await loop.stop();
      await write();
    },
  };
}

/** Whole or not at all: the file gets its name when its last line is written. */
async function writeSnapshot(config: Config, known: readonly string[]): Promise<void> {
  const newest = await queryForRedirects<{ id: string }>('SELECT id FROM links ORDER BY id DESC LIMIT $1', [
    config.linkSnapshotEntries,
  ]);
  const ids = [...new Set([...known, ...newest.map(({ id }) => id)])].slice(0, config.linkSnapshotEntries);
  const file = fileOf(config);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.part`;
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  try {
    const put = (lines: Line[]) => handle.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await put([{ start: FORMAT }, ...(await loadDomains()).map((domain) => ({ domain }))]);
    let links = 0;
    for (let at = 0; at < ids.length; at += CHUNK) {
      const rows = await loadRows(ids.slice(at, at + CHUNK));
      links += rows.length;
      await put(rows.map((link) => ({ link: sealed(link) })));
    }
    await put([{ end: links }]);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}

/** Hashes of passwords can be guessed at leisure by whoever has the file. */
function sealed(link: RedirectRow): RedirectRow {
  const { id, passwordHash } = link;
  return { ...plain(link), passwordHash: passwordHash && seal(passwordHash, placeOf(id)) };
}

function placeOf(id: string): string {
  return `snapshot ${id}`;
}

/** Without what a model has beside its row. */
function plain(link: RedirectRow): RedirectRow {
  const { id, projectId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks, routing } = link;
  const { archivedAt, flaggedAt, startsAt, expiresAt, passwordHash, title, preview, owner, tagIds } = link;
  const routed = { id, projectId, domain, slug, destination, utm, expiredDestination, clickLimit, clicks, routing };
  return { ...routed, archivedAt, flaggedAt, startsAt, expiresAt, passwordHash, title, preview, owner, tagIds };
}

/** The snapshot in DATA_DIR; null where there is none of this version. */
export async function readSnapshot(config: Config): Promise<Snapshot | null> {
  const file = fileOf(config);
  if (!existsSync(file)) return null;
  try {
    return await read(file);
  } catch (error) {
    log.warn({ err: error, file }, 'the snapshot of links cannot be used');
    return null;
  }
}

async function read(file: string): Promise<Snapshot> {
  const snapshot: Snapshot = { links: [], domains: [] };
  let isOurs = false;
  let isWhole = false;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    const line = JSON.parse(text) as Line;
    if ('start' in line) isOurs = line.start === FORMAT;
    if (!isOurs) throw new Error('it was written by another version');
    if ('domain' in line) snapshot.domains.push(line.domain);
    if ('link' in line) snapshot.links.push(compileRow(revived(line.link)));
    if ('end' in line) isWhole = line.end === snapshot.links.length;
  }
  if (!isWhole) throw new Error('it is not whole');
  return snapshot;
}

function revived(link: RedirectRow): RedirectRow {
  const time = (value: unknown) => (value === null ? null : new Date(value as string));
  return {
    ...link,
    archivedAt: time(link.archivedAt),
    flaggedAt: time(link.flaggedAt),
    startsAt: time(link.startsAt),
    expiresAt: time(link.expiresAt),
    passwordHash: link.passwordHash && unseal(link.passwordHash, placeOf(link.id)),
  };
}
