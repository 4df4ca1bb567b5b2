import { existsSync } from 'node:fs';
import path from 'node:path';
import { SEALED_COLUMNS, unsealFor } from '../db/sealedColumns.ts';
import type { SomeStore } from '../db/tables.ts';
import type { Config } from '../kernel/config.ts';
import { openSecrets } from '../kernel/secrets.ts';
import { PARTS } from './manifest.ts';

/** How many values of a store could be decrypted: one of each column that has any. Null: there is no key to try. */
export interface SealedResult {
  readable: string[];
  unreadable: string[];
}

/**
 * Decrypts the first value of every encrypted column with the key in `folder`, or with SECRET_KEY where the folder has none.
 */
export async function trySecrets(config: Config, folder: string, store: SomeStore): Promise<SealedResult | null> {
  const hasFile = existsSync(path.join(folder, PARTS.secretKey));
  if (!hasFile && config.secretKey === null) return null;
  await openSecrets({
    secretKey: hasFile ? null : config.secretKey,
    secretKeyPrevious: config.secretKeyPrevious,
    dataDir: folder,
  });
  const result: SealedResult = { readable: [], unreadable: [] };
  for (const name of Object.keys(SEALED_COLUMNS) as (keyof typeof SEALED_COLUMNS)[]) {
    const { table, column, key, where } = SEALED_COLUMNS[name];
    const [row] = await store.all<Record<string, string>>(
      `SELECT ${key.join(', ')}, ${column} AS sealed FROM ${table} WHERE ${column} IS NOT NULL${where ? ` AND ${where}` : ''} LIMIT 1`,
    );
    if (!row) continue;
    result[
      isReadable(
        name,
        key.map((part) => row[part] ?? ''),
        row.sealed ?? '',
      )
        ? 'readable'
        : 'unreadable'
    ].push(`${table}.${column}`);
  }
  return result;
}

function isReadable(name: keyof typeof SEALED_COLUMNS, ids: readonly string[], sealed: string): boolean {
  try {
    unsealFor(name, ids, sealed);
    return true;
  } catch {
    return false;
  }
}
