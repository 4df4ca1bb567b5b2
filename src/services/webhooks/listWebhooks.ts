import { authorizeProject, authorizeTeam } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Webhook } from '../../models/Webhook.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

const NEWEST_FIRST = { attribute: 'createdAt', direction: 'DESC' } as const;

/** Webhooks of a project, or with `teamId` all of a team; newest first. */
export async function listWebhooks(
  principal: Principal,
  { projectId, teamId, ...request }: PageRequest & { projectId?: string | null; teamId?: string | null },
): Promise<Page<Webhook>> {
  const where = projectId
    ? { projectId: (await authorizeProject(principal, 'webhooks:read', projectId)).id }
    : { teamId: (await authorizeTeam(principal, 'webhooks:read', teamId ?? '')).id };
  return findPage(Webhook, where, request, ['webhooks', where], NEWEST_FIRST);
}
