import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import type { ApiKey } from '../../../models/ApiKey.ts';
import type { Membership } from '../../../models/Membership.ts';
import { endKeysOfMember } from '../../keys/keysOfMember.ts';
import { shownMember } from './listMembers.ts';
import { findMembership, lockOwnMembership } from './lockMembers.ts';
import { refuseLastOwner } from './refuseLastOwner.ts';
import { revokeUnbacked } from './revokeUnbacked.ts';
import { refuseUnlessManages } from './roleRules.ts';

/**
 * Takes somebody out of a team; their next request finds it gone. Gives the keys that end with it: see
 * endKeysOfMember. Throws `not_found`, `insufficient_scope`,
 * `team_read_only`, and `conflict` for the last owner.
 */
export async function removeMember(principal: Principal, teamId: string, userId: string): Promise<ApiKey[]> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    const membership = await findMembership(teamId, userId, transaction);
    refuseUnlessManages(mine.role, membership.role);
    return endMembership(principal, membership, transaction);
  });
}

/** Leaves a team, also in survival mode: nobody is kept. Throws `not_found`, and `conflict` for the last owner. */
export async function leaveTeam(principal: Principal, teamId: string): Promise<ApiKey[]> {
  requireSession(principal);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    return endMembership(principal, mine, transaction);
  });
}

async function endMembership(
  principal: Principal,
  membership: Membership,
  transaction: Transaction,
): Promise<ApiKey[]> {
  await refuseLastOwner(membership, transaction);
  const { teamId, userId, role } = membership;
  const { email } = await shownMember(membership, transaction);
  await membership.destroy({ transaction });
  await revokeUnbacked({ teamId, userId, role: null }, transaction);
  const about = { teamId, projectId: null, subjectId: userId, subjectName: email, details: { role } };
  await recordAudit(transaction, principal, { ...about, action: 'member.removed' });
  return endKeysOfMember(principal, { teamId, userId, email }, transaction);
}
