import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Domain } from '../../models/Domain.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

export interface DomainFilter {
  kind?: string | null;
  status?: string | null;
}

export const DOMAIN_KINDS: readonly Domain['kind'][] = ['link', 'web'];
export const DOMAIN_STATUSES: readonly Domain['status'][] = ['pending', 'verified', 'failing'];

/** Domains of a project, newest first. */
export async function listDomains(
  principal: Principal,
  { projectId, limit, cursor, kind, status }: DomainFilter & PageRequest & { projectId: string },
): Promise<Page<Domain>> {
  const project = await authorizeProject(principal, 'domains:read', projectId);
  const where = { projectId: project.id, ...(kind ? { kind } : {}), ...(status ? { status } : {}) };
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Domain, where, { limit: limit ?? null, cursor: cursor ?? null }, ['domains', where], order);
}
