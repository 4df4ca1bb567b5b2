import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import { now } from '../../../kernel/clock.ts';
import { notFound } from '../../../kernel/errors.ts';
import { Invitation } from '../../../models/Invitation.ts';
import { lockOwnMembership } from '../members/lockMembers.ts';
import { refuseUnlessManages } from '../members/roleRules.ts';

/** Takes an invitation back. Throws `not_found`, also for one that was accepted, `insufficient_scope`, `team_read_only`. */
export async function revokeInvitation(principal: Principal, id: string): Promise<void> {
  const { roles } = requireSession(principal);
  const found = await Invitation.findByPk(id);
  if (!found || !roles.has(found.teamId)) throw notFound('invitation');
  const { teamId, email, role } = found;
  await authorizeTeam(principal, 'projects:write', teamId);
  await inTransaction(async (transaction) => {
    const mine = await lockOwnMembership(principal, teamId, transaction);
    refuseUnlessManages(mine.role, role);
    const where = { id, acceptedAt: null, revokedAt: null };
    const [revoked] = await Invitation.update({ revokedAt: now() }, { where, transaction });
    if (revoked === 0) throw notFound('invitation');
    const about = { teamId, projectId: null, subjectId: id, subjectName: email, details: { role } };
    await recordAudit(transaction, principal, { ...about, action: 'member.invitation_revoked' });
  });
}
