import { authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op } from '../../db/sequelize.ts';
import { Team } from '../../models/Team.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** The team of the key. A person names one of theirs. */
export async function findTeam(principal: Principal, teamId?: string | null): Promise<Team> {
  const id = principal.kind === 'key' ? principal.teamId : teamId;
  return authorizeTeam(principal, 'projects:read', id ?? '');
}

/** The teams of the signed-in person, newest first. */
export async function listTeams(principal: Principal, request: PageRequest): Promise<Page<Team>> {
  const { userId, roles } = requireSession(principal);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Team, { id: { [Op.in]: [...roles.keys()] } }, request, ['teams', userId], order);
}
