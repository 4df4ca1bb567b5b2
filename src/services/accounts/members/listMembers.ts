import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { Op, type Transaction } from '../../../db/sequelize.ts';
import { Membership, type Role } from '../../../models/Membership.ts';
import { User } from '../../../models/User.ts';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** Whether they sign in with a second factor; null where the reader is neither owner nor admin. */
  secondFactor: boolean | null;
  createdAt: Date;
}

/** Who belongs to a team, in the order of joining. */
export async function listMembers(principal: Principal, teamId: string): Promise<Member[]> {
  const { roles } = requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const memberships = await Membership.findAll({ where: { teamId }, order: [['createdAt', 'ASC']] });
  const users = await User.findAll({ where: { id: { [Op.in]: memberships.map(({ userId }) => userId) } } });
  const byId = new Map(users.map((user) => [user.id, user]));
  const mine = roles.get(teamId);
  const isManager = mine === 'owner' || mine === 'admin';
  return memberships.map((membership) => {
    const member = memberOf(membership, byId.get(membership.userId) ?? null);
    return isManager ? member : { ...member, secondFactor: null };
  });
}

/** A member as owners and admins see them. */
export async function shownMember(membership: Membership, transaction: Transaction): Promise<Member> {
  return memberOf(membership, await User.findByPk(membership.userId, { transaction }));
}

function memberOf({ userId, role, createdAt }: Membership, user: User | null): Member {
  return { userId, email: user?.email ?? '', role, secondFactor: Boolean(user?.totpEnabledAt), createdAt };
}
