import { authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordChange } from '../../audit/recordChange.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { Team } from '../../models/Team.ts';

/** Renames a team; for owners and admins. Throws `not_found`, `insufficient_scope`, `team_read_only`. */
export async function updateTeam(principal: Principal, id: string, name: string): Promise<Team> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:write', id);
  return inTransaction(async (transaction) => {
    const team = await Team.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!team) throw notFound('team');
    const before = { name: team.name };
    await team.update({ name: name.trim() }, { transaction });
    const about = { teamId: id, projectId: null, subjectId: id, subjectName: team.name };
    const change = { before, after: { name: team.name }, fields: ['name'] as const };
    await recordChange(transaction, principal, { ...about, ...change, action: 'team.updated' });
    return team;
  });
}
