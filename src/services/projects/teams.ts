import { authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op } from '../../db/sequelize.ts';
import { Team } from '../../models/Team.ts';

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
