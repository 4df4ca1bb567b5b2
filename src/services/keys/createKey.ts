import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { expandScopes } from '../../access/scopes.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { clock } from '../../kernel/clock.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { aboutKey } from './aboutKey.ts';
import { insertKey, type NewKey, type ShownKey } from './insertKey.ts';
import { makerOfKey } from './keysOfMember.ts';
import { refuseBroaderScopes } from './refuseBroaderScopes.ts';

type KeyInput = Omit<NewKey, 'createdBy' | 'revokeAt'>;

/** Makes a key; without `scopes` a secret one gets all. Throws `validation_failed`, `insufficient_scope`. */
export async function createKey(principal: Principal, input: KeyInput): Promise<ShownKey> {
  checkNewKey(input);
  const project = await authorizeProject(principal, 'keys:write', input.projectId);
  const scopes = input.kind === 'publishable' ? [] : expandScopes(input.scopes ?? ['*']);
  refuseBroaderScopes(principal, scopes);
  return inTransaction(async (transaction) => {
    const maker = await makerOfKey(principal, project.teamId, transaction);
    const made = await insertKey({ ...input, projectId: project.id, scopes, ...maker }, transaction);
    const details = { kind: made.kind, scopes: made.scopes, expires_at: made.expiresAt };
    await recordAudit(transaction, principal, { ...aboutKey(made, project), action: 'key.created', details });
    return made;
  });
}

/** Throws `validation_failed` for a key that would be of no use. */
export function checkNewKey({ expiresAt }: Pick<KeyInput, 'expiresAt'>): void {
  if (!expiresAt || expiresAt.getTime() > clock.now()) return;
  throw validationFailed([{ path: 'expires_at', message: 'Must be in the future.' }]);
}
