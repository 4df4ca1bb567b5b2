import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import type { CheckFacts } from '../../events/presentHealth.ts';
import { readHealth } from '../../health/healthState.ts';
import type { Project } from '../../models/Project.ts';

export interface ShownHealth {
  status: Project['health'];
  /** When the last run ended; null before the first. */
  checkedAt: Date | null;
  checks: CheckFacts[];
}

/** The health of a project as the last run left it. */
export async function showHealth(principal: Principal, projectId: string): Promise<ShownHealth> {
  return shownHealth(await authorizeProject(principal, 'health:read', projectId));
}

/** The same for those who were let in. */
export async function shownHealth(project: Project): Promise<ShownHealth> {
  const { health, ranAt, checks } = await readHealth(project);
  return {
    status: health,
    checkedAt: ranAt,
    checks: checks.map(({ name, status, message, since }) => ({ name, status, message, since })),
  };
}
