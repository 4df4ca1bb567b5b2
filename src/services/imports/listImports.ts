import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import type { Scope } from '../../access/scopes.ts';
import { Import } from '../../models/Import.ts';
import { findOwned } from '../findOwned.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** Imports of a project, newest first. */
export async function listImports(
  principal: Principal,
  projectId: string,
  request: PageRequest,
): Promise<Page<Import>> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  return findPage(Import, { projectId: project.id }, request, ['imports', project.id], {
    attribute: 'createdAt',
    direction: 'DESC',
  });
}

/** One import. Throws `not_found`. */
export function findImport(principal: Principal, id: string, scope: Scope = 'links:read'): Promise<Import> {
  return findOwned(Import, principal, scope, id, 'import');
}
