import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** Keys of a project, newest first, revoked and expired ones included. */
export async function listKeys(principal: Principal, projectId: string, request: PageRequest): Promise<Page<ApiKey>> {
  const project = await authorizeProject(principal, 'keys:read', projectId);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(ApiKey, { projectId: project.id }, request, ['keys', project.id], order);
}
