import { authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op } from '../../db/sequelize.ts';
import { Membership, type Role } from '../../models/Membership.ts';
import { Team } from '../../models/Team.ts';
import { User } from '../../models/User.ts';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  createdAt: Date;
}

/** The team of the key. A person names one of theirs. */
export async function findTeam(principal: Principal, teamId?: string | null): Promise<Team> {
  const id = principal.kind === 'key' ? principal.teamId : teamId;
  return authorizeTeam(principal, 'projects:read', id ?? '');
}

/** The teams of the signed-in person, by name. */
export async function listTeams(principal: Principal): Promise<Team[]> {
  const { roles } = requireSession(principal);
  return Team.findAll({ where: { id: { [Op.in]: [...roles.keys()] } }, order: [['name', 'ASC']] });
}

/** Who belongs to a team, in the order of joining. */
export async function listMembers(principal: Principal, teamId: string): Promise<Member[]> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const memberships = await Membership.findAll({ where: { teamId }, order: [['createdAt', 'ASC']] });
  const users = await User.findAll({ where: { id: { [Op.in]: memberships.map(({ userId }) => userId) } } });
  const emails = new Map(users.map((user) => [user.id, user.email]));
  return memberships.map(({ userId, role, createdAt }) => ({
    userId,
    email: emails.get(userId) ?? '',
    role,
    createdAt,
  }));
}
