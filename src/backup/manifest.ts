import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Dialect } from '../db/connection/database.ts';
import { MIGRATIONS } from '../db/migrations/index.ts';
import type { RowCounts } from '../db/tables.ts';

/** The file that says what is in a backup. It is written last: a folder without it is no whole backup. */
const MANIFEST = 'manifest.json';
/** The layout of the folder; a change that this code cannot read gets another number. */
const FORMAT = 1;

/** Names within the folder of a backup. */
export const PARTS = { sqlite: 'svc.sqlite', postgres: 'svc.dump', secretKey: 'secret.key', journals: 'journals' };

/** Work that was pending in the store at the time of the backup, and is done again after a restore. */
interface PendingWork {
  deliveries: number;
  mails: number;
}

export interface Manifest {
  format: number;
  /** The version of the product. */
  version: string;
  dialect: Dialect;
  startedAt: string;
  finishedAt: string;
  migrations: string[];
  /** Rows of every table at the moment of the snapshot. */
  counts: RowCounts;
  pending: PendingWork;
  /** Bytes of clicks that were not in the store yet. */
  journalBytes: number;
  /** Where the key of stored secrets is: in the backup, or in SECRET_KEY, which no backup has. */
  secretKey: 'in the backup' | 'SECRET_KEY';
  /** Names of the settings that differed from their defaults. Their values may be secret. */
  settings: string[];
  /** Every file but this one, by its path within the folder. */
  files: Record<string, { bytes: number; sha256: string }>;
}

/** What is wrong with a backup, or with where it should go; `message` says what to do. */
export class BackupProblem extends Error {}

/** Writes the manifest of a folder whose other files are complete, and has the disk keep all of them. */
export async function sealBackup(
  folder: string,
  about: Omit<Manifest, 'files' | 'format' | 'finishedAt'>,
): Promise<void> {
  const files: Manifest['files'] = {};
  for (const file of await filesIn(folder)) {
    await flush(path.join(folder, file));
    files[file] = await describe(path.join(folder, file));
  }
  const manifest: Manifest = { format: FORMAT, ...about, finishedAt: new Date().toISOString(), files };
  await writeFile(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
}

/**
 * Reads the manifest. Throws a `BackupProblem` when the folder is no whole backup, or one of a version that this one does not
 * know.
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST);
  if (!existsSync(file)) throw new BackupProblem(`${folder} is not a whole backup: it has no ${MANIFEST}.`);
  let manifest: Manifest;
  try {
    manifest = JSON.parse(await readFile(file, 'utf8')) as Manifest;
  } catch (error) {
    throw new BackupProblem(`${file} is damaged: ${(error as Error).message}`);
  }
  const known = new Set(MIGRATIONS.map(({ name }) => name));
  const newer = (manifest.migrations ?? []).filter((name) => !known.has(name));
  if (manifest.format !== FORMAT || newer.length > 0) {
    throw new BackupProblem(
      `${folder} was made by a newer version (${manifest.version}${newer.length > 0 ? `, with ${newer.join(', ')}` : ''}). Use that version.`,
    );
  }
  return manifest;
}

/** Throws a `BackupProblem` that names every file that is missing, added or not as it was written. */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  const problems: string[] = [];
  const found = new Set((await filesIn(folder)).filter((file) => file !== MANIFEST));
  for (const [file, { bytes, sha256 }] of Object.entries(files)) {
    if (!found.delete(file)) {
      problems.push(`${file} is missing`);
      continue;
    }
    const is = await describe(path.join(folder, file));
    if (is.bytes !== bytes) problems.push(`${file} has ${is.bytes} bytes instead of ${bytes}`);
    else if (is.sha256 !== sha256) problems.push(`${file} is not as it was written`);
  }
  for (const file of found) problems.push(`${file} does not belong to it`);
  if (problems.length > 0) throw new BackupProblem(`${folder} is damaged: ${problems.join('; ')}.`);
}

/** All files below a folder, by their paths within it. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}

async function describe(file: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return { bytes: (await stat(file)).size, sha256: hash.digest('hex') };
}

/** Has the disk keep a file, or the names in a folder. */
export async function flush(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
