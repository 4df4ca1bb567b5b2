import { authorizeProject, authorizeTeam } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';

export interface AlertOwner {
  projectId?: string | null;
  teamId?: string | null;
}

/** Whose alerts are asked for, as columns: those of a project, or all of a team. Throws `not_found`. */
export async function ownerOf(
  principal: Principal,
  { projectId, teamId }: AlertOwner,
): Promise<{ projectId: string } | { teamId: string }> {
  if (projectId) return { projectId: (await authorizeProject(principal, 'alerts:read', projectId)).id };
  return { teamId: (await authorizeTeam(principal, 'alerts:read', teamId ?? '')).id };
}
