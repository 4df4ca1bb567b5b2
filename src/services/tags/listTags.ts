import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Tag } from '../../models/Tag.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** Tags of a project, newest first. */
export async function listTags(principal: Principal, projectId: string, request: PageRequest): Promise<Page<Tag>> {
  const project = await authorizeProject(principal, 'tags:read', projectId);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Tag, { projectId: project.id }, request, ['tags', project.id], order);
}
