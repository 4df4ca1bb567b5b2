import { authorizeProject } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import type { CheckFacts } from '../models/HealthCheck.ts';
import { HealthEntry } from '../models/HealthEntry.ts';
import { Project } from '../models/Project.ts';
import { readHealth } from './healthStore.ts';
import { runOnRequest } from './runOnRequest.ts';

interface ShownHealth {
  status: Project['health'];
  /** When the last run ended; null before the first. */
  checkedAt: Date | null;
  checks: CheckFacts[];
}

/** Returns the health of a project as of its last run. Throws `not_found`. */
export async function showHealth(principal: Principal, projectId: string): Promise<ShownHealth> {
  return shownHealth(await authorizeProject(principal, 'health:read', projectId));
}

/** Runs the checks of a project now, and returns its health. Throws `not_found`. */
export async function runHealthChecks(principal: Principal, projectId: string): Promise<ShownHealth> {
  const project = await authorizeProject(principal, 'health:write', projectId);
  await runOnRequest(project);
  return shownHealth((await Project.findByPk(projectId)) ?? project);
}

/** Lists the statuses of a project's checks, newest first, each with its start and end. HEALTH_HISTORY_DAYS limits how far it goes back. */
export async function listHealthHistory(
  principal: Principal,
  projectId: string,
  request: PageRequest,
): Promise<Page<HealthEntry>> {
  const project = await authorizeProject(principal, 'health:read', projectId);
  const order = { attribute: 'since', direction: 'DESC' } as const;
  return findPage(HealthEntry, { projectId: project.id }, request, ['health_history', project.id], order);
}

async function shownHealth(project: Project): Promise<ShownHealth> {
  const { health, ranAt, checks } = await readHealth(project);
  return {
    status: health,
    checkedAt: ranAt,
    checks: checks.map(({ name, status, message, since }) => ({ name, status, message, since })),
  };
}
