import { log } from '../kernel/log.ts';
import { fileOfNewKey, KeyFileMissing, keepNewKey, SealedWithAnotherKey } from '../kernel/secrets.ts';
import { ADMIN_CALL } from '../kernel/version.ts';
import { openStoreIn } from './query.ts';
import { hasValueOfOurKeys, trySealedValues } from './sealedColumns.ts';

/**
 * Compares the key with what the open store holds, and writes a key that was made for an empty one. Throws `KeyFileMissing` where the
 * store needs the key that is gone, and `SealedWithAnotherKey` when the configured keys fit none of its values. Where they fit
 * some, a change of the key was left half done: that is a warning, because all else works.
 */
export async function checkSecrets(): Promise<void> {
  const store = openStoreIn();
  const { readable, unreadable } = await trySealedValues(store);
  const missing = fileOfNewKey();
  if (missing !== null && unreadable.length > 0)
    throw new KeyFileMissing(
      `${missing} is missing, but the store holds values that were encrypted with its key (${unreadable.join(', ')}). ` +
        'Put the file back from a backup, or set SECRET_KEY to the key.',
    );
  if (unreadable.length > 0 && readable.length === 0 && !(await hasValueOfOurKeys(store)))
    throw new SealedWithAnotherKey();
  if (unreadable.length > 0)
    log.warn(
      { columns: unreadable },
      `some stored secrets were encrypted with another key; ${ADMIN_CALL} reseal counts them. Add that key to SECRET_KEY_PREVIOUS`,
    );
  await keepNewKey();
}
