import { roleIn } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { Transaction } from '../db/sequelize.ts';
import { CodedError } from '../kernel/errors.ts';
import { ApiKey } from '../models/ApiKey.ts';

/**
 * The id of the user or key that decides where a webhook sends to. Throws `insufficient_scope` for a key that is about to end
 * because its creator has left the team: what it sets up would go on after it, and nobody was told.
 */
export async function makerOf(principal: Principal, transaction: Transaction): Promise<string | null> {
  if (principal.kind === 'session') return principal.userId;
  if (principal.kind !== 'key') return null;
  const key = await ApiKey.findByPk(principal.keyId, { transaction });
  if (!key?.revokeAt) return principal.keyId;
  throw new CodedError(
    'insufficient_scope',
    `This key ends at ${key.revokeAt.toISOString()}, because its creator has left the team: until then it creates, moves and enables no webhooks. Use another key.`,
  );
}

/** Throws `insufficient_scope` for members who may not decide who gets the events of the whole team: only owners and admins. */
export function refuseTeamWide(principal: Principal, teamId: string): void {
  const role = roleIn(principal, teamId);
  if (principal.kind !== 'session' || role === 'owner' || role === 'admin') return;
  const message = `Only owners and admins set up webhooks of the whole team; your role is ${role}.`;
  throw new CodedError('insufficient_scope', message);
}
