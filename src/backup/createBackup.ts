import { existsSync } from 'node:fs';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Config, changedSettings } from '../kernel/config.ts';
import { VERSION } from '../kernel/version.ts';
import { needRoom, writeWhole } from './backupFolder.ts';
import { copyJournals, journalBytes } from './journals.ts';
import { type Manifest, PARTS, readManifest, sealBackup } from './manifest.ts';
import { dumpBytes, dumpPostgres } from './postgresBackup.ts';
import type { Progress } from './snapshot.ts';
import { copySqlite, sqliteBytes } from './sqliteBackup.ts';

/**
 * Writes a backup of everything into a new folder, while the product may be running: the journals of DATA_DIR, then the store,
 * the key of stored secrets if it is a file, and last the manifest. Throws a `BackupProblem`, or what the disk or the store
 * says; the folder exists only when the backup is whole.
 */
export async function createBackup(config: Config, target: string, progress: Progress): Promise<Manifest> {
  const url = config.databaseUrl;
  const bytes = (url ? await dumpBytes(url) : await sqliteBytes(config.dataDir)) + (await journalBytes(config.dataDir));
  await writeWhole(target, async (folder) => {
    const startedAt = new Date().toISOString();
    await needRoom(path.dirname(folder), bytes);
    await mkdir(folder, { mode: 0o700 });
    // Before the store: see there.
    const inJournals = await copyJournals(config.dataDir, path.join(folder, PARTS.journals));
    progress('the journals', 1);
    const snapshot = url
      ? await dumpPostgres(url, folder, progress)
      : await copySqlite(config.dataDir, folder, progress);
    await sealBackup(folder, {
      version: VERSION,
      dialect: url ? 'postgres' : 'sqlite',
      startedAt,
      ...snapshot,
      journalBytes: inJournals,
      secretKey: (await copySecretKey(config, folder)) ? 'in the backup' : 'SECRET_KEY',
      settings: changedSettings(),
    });
  });
  return readManifest(path.resolve(target));
}

/** Returns false where the key is SECRET_KEY: it is not in DATA_DIR, and whoever set it keeps it. */
async function copySecretKey(config: Config, folder: string): Promise<boolean> {
  const file = path.join(config.dataDir, 'secret.key');
  if (config.secretKey !== null || !existsSync(file)) return false;
  const copy = path.join(folder, PARTS.secretKey);
  await copyFile(file, copy);
  await chmod(copy, 0o600);
  return true;
}
