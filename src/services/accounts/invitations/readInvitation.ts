import type { Role } from '../../../models/Membership.ts';
import { Team } from '../../../models/Team.ts';
import { findPending } from './pendingInvitation.ts';

/** What whoever holds the token of an invitation is shown. */
export interface OfferedRole {
  teamName: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

/** What a token invites to. Throws `invalid_token`. */
export async function readInvitation(token: string): Promise<OfferedRole> {
  const { teamId, email, role, expiresAt } = await findPending(token);
  const team = await Team.findByPk(teamId, { rejectOnEmpty: true });
  return { teamName: team.name, email, role, expiresAt };
}
