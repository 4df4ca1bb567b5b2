import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { expandScopes } from '../../access/scopes.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { randomToken, sha256 } from '../../kernel/secrets.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

export interface KeyInput {
  projectId: string;
  name: string;
  kind?: 'secret' | 'publishable';
  scopes?: string[];
  expiresAt?: Date | null;
}

/** Keys of a project, newest first, revoked ones included. */
export async function listKeys(principal: Principal, projectId: string, request: PageRequest): Promise<Page<ApiKey>> {
  const project = await authorizeProject(principal, 'keys:read', projectId);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(ApiKey, { projectId: project.id }, request, ['keys', project.id], order);
}

/** Makes a key; a secret one is shown here and never again. A key never makes one with scopes that it lacks. */
export async function createKey(principal: Principal, input: KeyInput): Promise<{ apiKey: ApiKey; key: string }> {
  const project = await authorizeProject(principal, 'keys:write', input.projectId);
  const scopes = expandScopes(input.scopes ?? ['*']);
  const lacking = principal.kind === 'key' ? scopes.find((scope) => !principal.scopes.has(scope)) : undefined;
  if (lacking)
    throw new CodedError('insufficient_scope', `A key cannot make one with the scope ${lacking}, which it lacks.`);
  const createdBy = principal.kind === 'session' ? principal.userId : principal.kind === 'key' ? principal.keyId : null;
  return inTransaction((transaction) => insertKey({ ...input, projectId: project.id, scopes, createdBy }, transaction));
}

/** Writes a key row; for `createKey` and the first start. */
export async function insertKey(
  { kind = 'secret', scopes = [], ...input }: KeyInput & { createdBy: string | null },
  transaction: Transaction,
): Promise<{ apiKey: ApiKey; key: string }> {
  const key = `${kind === 'secret' ? 'sk' : 'pk'}_live_${randomToken(24)}`;
  const apiKey = await ApiKey.create(
    {
      ...input,
      id: newId('key'),
      kind,
      scopes: kind === 'secret' ? scopes : [],
      hash: sha256(key),
      publishableKey: kind === 'publishable' ? key : null,
      lastFour: key.slice(-4),
      expiresAt: input.expiresAt ?? null,
    },
    { transaction },
  );
  return { apiKey, key };
}

/** Ends a key at once, in every process. Throws `not_found`, also for one that is revoked already. */
export async function revokeKey(principal: Principal, id: string): Promise<void> {
  const found = await ApiKey.findByPk(id);
  if (!found || found.revokedAt) throw notFound('key');
  await authorizeProject(principal, 'keys:write', found.projectId);
  await inTransaction(async (transaction) => {
    await found.update({ revokedAt: now() }, { transaction });
    await announce(transaction, 'key', found.hash);
  });
}
