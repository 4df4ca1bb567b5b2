import { Op, type Transaction } from '../../../db/sequelize.ts';
import { now } from '../../../kernel/clock.ts';
import { Invitation } from '../../../models/Invitation.ts';
import type { Role } from '../../../models/Membership.ts';
import { manages } from './roleRules.ts';

const ROLES: readonly Role[] = ['owner', 'admin', 'member', 'viewer'];

/**
 * Takes back the invitations that somebody sent and could send no more with their present role, null when they are gone:
 * whoever sees that coming must not keep a way in.
 */
export async function revokeUnbacked(
  { teamId, userId, role }: { teamId: string; userId: string; role: Role | null },
  transaction: Transaction,
): Promise<void> {
  const lost = ROLES.filter((other) => role === null || !manages(role, other));
  const where = { teamId, invitedBy: userId, role: { [Op.in]: lost }, acceptedAt: null, revokedAt: null };
  await Invitation.update({ revokedAt: now() }, { where, transaction });
}
