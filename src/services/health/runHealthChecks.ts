import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { runByHand } from '../../health/runByHand.ts';
import { Project } from '../../models/Project.ts';
import { type ShownHealth, shownHealth } from './showHealth.ts';

/** Runs the checks of a project now, and shows what they found. */
export async function runHealthChecks(principal: Principal, projectId: string): Promise<ShownHealth> {
  const project = await authorizeProject(principal, 'health:write', projectId);
  await runByHand(projectId);
  return shownHealth((await Project.findByPk(projectId)) ?? project);
}
