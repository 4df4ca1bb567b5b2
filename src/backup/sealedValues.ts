import { existsSync } from 'node:fs';
import path from 'node:path';
import { type SealedResult, trySealedValues } from '../db/sealedColumns.ts';
import type { SomeStore } from '../db/tables.ts';
import type { Config } from '../kernel/config.ts';
import { openSecrets } from '../kernel/secrets.ts';
import { PARTS } from './manifest.ts';

/**
 * Decrypts the first value of every encrypted column with the key in `folder`, or with SECRET_KEY where the folder has none. Null:
 * there is no key to try.
 */
export async function trySecrets(config: Config, folder: string, store: SomeStore): Promise<SealedResult | null> {
  const hasFile = existsSync(path.join(folder, PARTS.secretKey));
  if (!hasFile && config.secretKey === null) return null;
  await openSecrets({
    secretKey: hasFile ? null : config.secretKey,
    secretKeyPrevious: config.secretKeyPrevious,
    dataDir: folder,
  });
  return trySealedValues(store);
}
