import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import type { Membership } from '../../../models/Membership.ts';
import { shownMember } from './listMembers.ts';
import { findMembership, lockOwnMembership } from './lockMembers.ts';
import { refuseLastOwner } from './refuseLastOwner.ts';
import { revokeUnbacked } from './revokeUnbacked.ts';
import { refuseUnlessManages } from './roleRules.ts';

/**
 * Takes somebody out of a team; their next request finds it gone. Throws `not_found`, `insufficient_scope`,
 * `team_read_only`, and `conflict` for the last owner.
 */
export async function removeMember(principal: Principal, teamId: string, userId: string): Promise<void> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  await inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    const membership = await findMembership(teamId, userId, transaction);
    refuseUnlessManages(mine.role, membership.role);
    await endMembership(principal, membership, transaction);
  });
}

/** Leaves a team, also in survival mode: nobody is kept. Throws `not_found`, and `conflict` for the last owner. */
export async function leaveTeam(principal: Principal, teamId: string): Promise<void> {
  requireSession(principal);
  await inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    await endMembership(principal, mine, transaction);
  });
}

async function endMembership(principal: Principal, membership: Membership, transaction: Transaction): Promise<void> {
  await refuseLastOwner(membership, transaction);
  const { teamId, userId, role } = membership;
  const { email } = await shownMember(membership, transaction);
  await membership.destroy({ transaction });
  await revokeUnbacked({ teamId, userId, role: null }, transaction);
  const about = { teamId, projectId: null, subjectId: userId, subjectName: email, details: { role } };
  await recordAudit(transaction, principal, { ...about, action: 'member.removed' });
}
