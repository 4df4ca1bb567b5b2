import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { ROLE_SCOPES } from '../../../access/scopes.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Role } from '../../../models/Membership.ts';
import { warnOfKeysOfMember } from '../../keys/keysOfMember.ts';
import { type Member, shownMember } from './listMembers.ts';
import { findMembership, lockOwnMembership } from './lockMembers.ts';
import { refuseLastOwner } from './refuseLastOwner.ts';
import { revokeUnbacked } from './revokeUnbacked.ts';
import { refuseUnlessManages } from './roleRules.ts';

interface RoleChange {
  teamId: string;
  userId: string;
  role: Role;
}

/**
 * Gives a member another role, in force with their next request. Throws `not_found`, `insufficient_scope`,
 * `team_read_only`, and `conflict` for the last owner.
 */
export async function changeMemberRole(principal: Principal, { teamId, userId, role }: RoleChange): Promise<Member> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', teamId);
  return inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    const membership = await findMembership(teamId, userId, transaction);
    refuseUnlessManages(mine.role, membership.role, role);
    const member = await shownMember(membership, transaction);
    if (membership.role === role) return member;
    await refuseLastOwner(membership, transaction);
    const from = membership.role;
    await membership.update({ role }, { transaction });
    await revokeUnbacked(membership, transaction);
    const about = { teamId, projectId: null, subjectId: userId, subjectName: member.email };
    const details = { changes: { role: { from, to: role } } };
    await recordAudit(transaction, principal, { ...about, action: 'member.role_changed', details });
    const makesKeys = (one: Role) => ROLE_SCOPES[one].includes('keys:write');
    if (makesKeys(from) && !makesKeys(role)) {
      await warnOfKeysOfMember({ teamId, userId, email: member.email }, role, transaction);
    }
    return { ...member, role };
  });
}
