import { requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { inTransaction } from '../../../db/inTransaction.ts';
import type { Team } from '../../../models/Team.ts';
import { User } from '../../../models/User.ts';
import { joinTeam } from './joinTeam.ts';

/** The signed-in person joins the team that a token invites them to. Throws what `joinTeam` does. */
export async function acceptInvitation(principal: Principal, token: string): Promise<Team> {
  const user = await User.findByPk(requireSession(principal).userId, { rejectOnEmpty: true });
  return inTransaction((transaction) => joinTeam(user, token, transaction));
}
