import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { Invitation } from '../../../models/Invitation.ts';
import { findPage, type Page, type PageRequest } from '../../paging.ts';

/** Invitations of a team that nobody has accepted or taken back, newest first; for every member. */
export async function listInvitations(
  principal: Principal,
  teamId: string,
  request: PageRequest,
): Promise<Page<Invitation>> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const where = { teamId, acceptedAt: null, revokedAt: null };
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Invitation, where, request, ['invitations', teamId], order);
}
