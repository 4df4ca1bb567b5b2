import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { HealthEntry } from '../../models/HealthEntry.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** What the checks of a project said in the last weeks, newest first: each entry a status and how long it lasted. */
export async function listHealthHistory(
  principal: Principal,
  projectId: string,
  request: PageRequest,
): Promise<Page<HealthEntry>> {
  const project = await authorizeProject(principal, 'health:read', projectId);
  const order = { attribute: 'since', direction: 'DESC' } as const;
  return findPage(HealthEntry, { projectId: project.id }, request, ['health_history', project.id], order);
}
