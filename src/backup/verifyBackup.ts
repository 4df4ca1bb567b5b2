import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connectTo } from '../db/connection/postgresClient.ts';
import { SqliteFile } from '../db/connection/SqliteFile.ts';
import { countRows, postgresStore, type SomeStore, sqliteStore } from '../db/tables.ts';
import type { Config } from '../kernel/config.ts';
import { needRoom } from './backupFolder.ts';
import { countClicks } from './journals.ts';
import { BackupProblem, checkFiles, type Manifest, PARTS, readManifest } from './manifest.ts';
import { restoreDump } from './postgresBackup.ts';
import { withScratchDatabase } from './scratchDatabase.ts';
import { trySecrets } from './sealedValues.ts';
import { checkCounts, type Progress } from './snapshot.ts';
import { damageOf } from './sqliteBackup.ts';

/**
 * Restores a backup into a scratch store and compares that with the manifest. Returns sentences that say what was checked.
 * Throws a `BackupProblem` with everything that is wrong. `scratchFolder` holds a copy of a SQLite store meanwhile.
 */
export async function verifyBackup(
  config: Config,
  folder: string,
  progress: Progress,
  scratchFolder = tmpdir(),
): Promise<string[]> {
  const manifest = await readManifest(folder);
  await checkFiles(folder, manifest);
  progress('hashes', 1);
  const done = [`Every file (${Object.keys(manifest.files).length}) is as it was written on ${manifest.finishedAt}.`];
  if (manifest.dialect === 'sqlite') done.push(...(await verifySqlite(config, folder, manifest, scratchFolder)));
  else done.push(...(await verifyPostgres(config, folder, manifest)));
  const { clicks, damaged } = await countClicks(path.join(folder, PARTS.journals));
  if (damaged > 0) throw new BackupProblem(`${damaged} lines of the journals hold no click.`);
  done.push(`${clicks} clicks that are not in the store yet can be read from the journals.`);
  return done;
}

async function verifySqlite(config: Config, folder: string, manifest: Manifest, parent: string): Promise<string[]> {
  await needRoom(parent, manifest.files[PARTS.sqlite]?.bytes ?? 0);
  const scratch = await mkdtemp(path.join(parent, 'svc-verify-'));
  try {
    const copy = path.join(scratch, PARTS.sqlite);
    await copyFile(path.join(folder, PARTS.sqlite), copy);
    const file = await SqliteFile.open(copy, { isReadOnly: false });
    try {
      const damage = await damageOf(file);
      if (damage.length > 0) throw new BackupProblem(`The store is damaged: ${damage.join('; ')}.`);
      return [
        'The store was restored into a scratch folder. SQLite finds it sound, with every reference and the search index.',
        ...(await compare(config, folder, manifest, sqliteStore(file))),
      ];
    } finally {
      await file.close();
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function verifyPostgres(config: Config, folder: string, manifest: Manifest): Promise<string[]> {
  if (!config.databaseUrl)
    throw new BackupProblem('This is a backup of PostgreSQL. Set DATABASE_URL to the server on which to restore it.');
  return withScratchDatabase(config.databaseUrl, async (url) => {
    await restoreDump(path.join(folder, PARTS.postgres), url);
    const client = await connectTo(url);
    try {
      return [
        'The store was restored into a scratch database, which is dropped again. Every index and reference could be built.',
        ...(await compare(config, folder, manifest, postgresStore(client))),
      ];
    } finally {
      await client.end();
    }
  });
}

async function compare(config: Config, folder: string, manifest: Manifest, store: SomeStore): Promise<string[]> {
  checkCounts(manifest, await countRows(store));
  const rows = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0);
  return [
    `${Object.keys(manifest.counts).length} tables have the ${rows} rows that they had at the backup.`,
    await secretsSentence(config, folder, store),
  ];
}

/** Says whether stored secrets can be decrypted. Throws a `BackupProblem` when they cannot. */
async function secretsSentence(config: Config, folder: string, store: SomeStore): Promise<string> {
  const tried = await trySecrets(config, folder, store);
  if (!tried) {
    return 'Stored secrets were not tried: the key was in SECRET_KEY, which is not set now. Set it and verify again.';
  }
  if (tried.unreadable.length > 0)
    throw new BackupProblem(
      `Secrets in ${tried.unreadable.join(', ')} cannot be decrypted with the key that belongs to this backup.`,
    );
  if (tried.readable.length === 0) return 'There are no stored secrets.';
  return `A secret of each of ${tried.readable.join(', ')} could be decrypted.`;
}
