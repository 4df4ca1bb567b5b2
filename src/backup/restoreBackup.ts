import path from 'node:path';
import { connectTo } from '../db/connection/postgresClient.ts';
import { SqliteFile } from '../db/connection/SqliteFile.ts';
import { countRows, postgresStore, type SomeStore, sqliteStore } from '../db/tables.ts';
import type { Config } from '../kernel/config.ts';
import { BackupProblem, checkFiles, type Manifest, PARTS, readManifest } from './manifest.ts';
import { restorePostgres } from './restorePostgres.ts';
import { restoreJournals, restoreSqlite } from './restoreSqlite.ts';
import { trySecrets } from './sealedValues.ts';
import { checkCounts } from './snapshot.ts';

/**
 * Restores a backup into DATA_DIR or DATABASE_URL while the product is stopped. Returns sentences that say what was done and
 * what will be done again. Throws a `BackupProblem` before anything was changed.
 */
export async function restoreBackup(config: Config, folder: string, replace: boolean): Promise<string[]> {
  const manifest = await readManifest(folder);
  refuseOtherKind(config, manifest);
  await checkFiles(folder, manifest);
  const url = config.databaseUrl;
  const { movedTo } = url
    ? await restorePostgres(url, path.join(folder, PARTS.postgres), manifest, replace)
    : await restoreSqlite(config.dataDir, folder, manifest, replace);
  const journals = url ? await restoreJournals(config.dataDir, folder) : { movedTo: null };
  const rows = Object.values(manifest.counts).reduce((sum, count) => sum + count, 0);
  return [
    `Restored: ${rows} rows of ${Object.keys(manifest.counts).length} tables, as they were on ${manifest.startedAt}, and ${manifest.journalBytes} bytes of clicks, which the next start moves to the store.`,
    ...(movedTo ? [`The former store was moved to ${url ? `the schema ${movedTo}` : movedTo}.`] : []),
    ...(journals.movedTo ? [`Clicks that were waiting in DATA_DIR were moved to ${journals.movedTo}.`] : []),
    ...(await withStore(config, async (store) => {
      checkCounts(manifest, await countRows(store));
      const secrets = await secretsOf(config, folder, manifest, store);
      return ['Every table has the rows that it had at the backup.', ...secrets];
    })),
    `Pending at the backup, and sent after the next start although it may have been sent since: ${manifest.pending.deliveries} webhook deliveries, ${manifest.pending.mails} mails.`,
  ];
}

function refuseOtherKind({ databaseUrl }: Config, { dialect }: Manifest): void {
  if (dialect === 'postgres' && !databaseUrl)
    throw new BackupProblem('This is a backup of PostgreSQL. Set DATABASE_URL to the database to restore it into.');
  if (dialect === 'sqlite' && databaseUrl)
    throw new BackupProblem(
      'This is a backup of SQLite. Unset DATABASE_URL, restore it, and then use move-to-postgres.',
    );
}

async function withStore<Result>(config: Config, work: (store: SomeStore) => Promise<Result>): Promise<Result> {
  if (config.databaseUrl) {
    const client = await connectTo(config.databaseUrl);
    return work(postgresStore(client)).finally(() => client.end());
  }
  const file = await SqliteFile.open(path.join(config.dataDir, PARTS.sqlite), { isReadOnly: true });
  return work(sqliteStore(file)).finally(() => file.close());
}

/** Whether the product will be able to read its secrets. */
async function secretsOf(config: Config, folder: string, manifest: Manifest, store: SomeStore): Promise<string[]> {
  if (manifest.secretKey === 'in the backup' && config.secretKey !== null)
    return [
      'SECRET_KEY is set, but the key of this backup is its file secret.key. Unset SECRET_KEY, or set it to that.',
    ];
  const tried = await trySecrets(config, folder, store);
  if (!tried) return ['The key of stored secrets is not in this backup: set SECRET_KEY to what it was.'];
  if (tried.unreadable.length === 0) return ['Stored secrets can be decrypted.'];
  return [`SECRET_KEY is not the one of this backup: secrets in ${tried.unreadable.join(', ')} cannot be decrypted.`];
}
