import { authorizeOwner } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { notFound } from '../../kernel/errors.ts';
import { log } from '../../kernel/log.ts';
import { Team } from '../../models/Team.ts';

/** Whoever has the machine may do this to every team. */
export const OPERATOR = 'operator';

/**
 * Puts a team into survival mode, in which it can be read but not changed, or with a `reason` of null takes it out
 * again. For owners and operators alone, also while the team is in it. Safe to repeat: the last reason stays. Throws
 * `not_found`, `insufficient_scope`.
 */
export async function setTeamReadOnly(
  principal: Principal | typeof OPERATOR,
  teamId: string,
  reason: string | null,
): Promise<Team> {
  if (principal !== OPERATOR) await authorizeOwner(principal, teamId);
  const changed = await inTransaction(async (transaction) => {
    const team = await Team.findByPk(teamId, { transaction, lock: transaction.LOCK.UPDATE });
    if (!team) throw notFound('team');
    const status = reason === null ? 'active' : 'read_only';
    if (team.status === status && team.readOnlyReason === reason) return team;
    await recordAudit(transaction, principal, {
      action: `team.${status}`,
      teamId: team.id,
      projectId: null,
      subjectId: team.id,
      subjectName: team.name,
      details: reason === null ? {} : { reason },
    });
    return team.update({ status, readOnlyReason: reason }, { transaction });
  });
  log.warn({ teamId, reason }, reason === null ? 'a team left survival mode' : 'a team entered survival mode');
  return changed;
}
