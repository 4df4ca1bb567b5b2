import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { lockNames } from '../../db/lockNames.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { config } from '../../kernel/config.ts';
import { CodedError } from '../../kernel/errors.ts';
import { Membership } from '../../models/Membership.ts';
import { Team } from '../../models/Team.ts';
import { signUpPolicy } from '../accounts/signUpPolicy.ts';
import { foundTeam } from './foundTeam.ts';

/**
 * Makes one more team of the signed-in person, where anybody may sign up or they own a team already: who was invited as a
 * member gets no team by the way. Throws `sign_up_closed`, `account_limit_reached`.
 */
export async function createTeam(principal: Principal, name: string): Promise<Team> {
  const { userId } = requireSession(principal);
  return inTransaction(async (transaction) => {
    await lockNames([`teams of ${userId}`], transaction);
    const owned = await ownedTeams(userId, transaction);
    if (owned.length === 0 && signUpPolicy() !== 'open') {
      throw new CodedError('sign_up_closed', 'Only who owns a team may make another here. Ask to be invited to one.');
    }
    if (owned.length >= config.ownedTeams) {
      const message = `One person owns at most ${config.ownedTeams} teams. Make somebody else the owner of one first.`;
      throw new CodedError('account_limit_reached', message);
    }
    // Whoever runs the installation is no new account in their second team either.
    const hasNoLimits = owned.some((team) => team.hasNoLimits);
    return foundTeam({ ownerId: userId, name, hasNoLimits }, transaction);
  });
}

async function ownedTeams(userId: string, transaction: Transaction): Promise<Team[]> {
  const owned = await Membership.findAll({ where: { userId, role: 'owner' }, transaction });
  return Team.findAll({ where: { id: { [Op.in]: owned.map(({ teamId }) => teamId) } }, transaction });
}
