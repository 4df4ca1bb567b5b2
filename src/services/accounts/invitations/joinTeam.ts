import { refuseInSurvivalMode } from '../../../access/authorize.ts';
import { recordAudit } from '../../../audit/recordAudit.ts';
import type { Transaction } from '../../../db/sequelize.ts';
import { now } from '../../../kernel/clock.ts';
import { CodedError } from '../../../kernel/errors.ts';
import { Invitation } from '../../../models/Invitation.ts';
import { Membership } from '../../../models/Membership.ts';
import { Team } from '../../../models/Team.ts';
import type { User } from '../../../models/User.ts';
import { asPerson } from '../asPerson.ts';
import { lockMembers } from '../members/lockMembers.ts';
import { findPending, isPending, usedUp } from './pendingInvitation.ts';

/**
 * Uses an invitation up and makes the person a member of its team: of two who try at once one does. Throws
 * `invalid_token`, `wrong_account`, `team_read_only`, and `conflict` for who is a member already.
 */
export async function joinTeam(user: User, token: string, transaction: Transaction): Promise<Team> {
  return joinByInvitation(user, await findPending(token, transaction), transaction);
}

/** The same with the invitation itself. */
export async function joinByInvitation(user: User, invitation: Invitation, transaction: Transaction): Promise<Team> {
  const { id, teamId, email, role } = invitation;
  refuseOtherPerson(email, user.email);
  await lockMembers(teamId, transaction);
  const team = await Team.findByPk(teamId, { transaction, rejectOnEmpty: true });
  refuseInSurvivalMode(team);
  const [claimed] = await Invitation.update({ acceptedAt: now() }, { where: { id, ...isPending() }, transaction });
  if (claimed === 0) throw usedUp();
  if ((await Membership.count({ where: { teamId, userId: user.id }, transaction })) > 0) {
    throw new CodedError('conflict', 'You are a member of this team already.');
  }
  await Membership.create({ teamId, userId: user.id, role }, { transaction });
  const about = { teamId, projectId: null, subjectId: user.id, subjectName: user.email };
  await recordAudit(transaction, asPerson(user.id), { ...about, action: 'member.joined', details: { role } });
  return team;
}

/** Throws `wrong_account`: an invitation that was passed on is not for whoever got it. */
export function refuseOtherPerson(invited: string, email: string): void {
  if (invited === email) return;
  throw new CodedError('wrong_account', `The invitation is for ${invited}, and you are ${email}.`);
}
