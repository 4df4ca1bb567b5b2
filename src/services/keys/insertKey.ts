import { expandScopes } from '../../access/scopes.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { ApiKey } from '../../models/ApiKey.ts';

export interface NewKey {
  projectId: string;
  name: string;
  kind?: 'secret' | 'publishable';
  /** `*` and `*:read` are written out; a publishable key has none. */
  scopes?: readonly string[];
  expiresAt?: Date | null;
  /** The user or key that makes it. */
  createdBy: string | null;
  /** When it ends with the key that made it. */
  revokeAt?: Date | null;
}

/** A key in the answer that makes it: a secret one is shown there and never again. */
export type ShownKey = ApiKey & { key: string };

/** Writes the row of a new key. Who may make it was decided before. */
export async function insertKey(
  { kind = 'secret', scopes = [], expiresAt = null, ...input }: NewKey,
  transaction: Transaction,
): Promise<ShownKey> {
  const key = `${kind === 'secret' ? 'sk' : 'pk'}_live_${randomToken(24)}`;
  const row = await ApiKey.create(
    {
      ...input,
      id: newId('key'),
      kind,
      scopes: kind === 'secret' ? expandScopes(scopes) : [],
      hash: sha256(key),
      publishableKey: kind === 'publishable' ? key : null,
      lastFour: key.slice(-4),
      expiresAt,
    },
    { transaction },
  );
  return Object.assign(row, { key });
}
