import { authorizeOwner, authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit, recordChange } from '../audit/recordAudit.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { config } from '../kernel/config.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { log } from '../kernel/log.ts';
import { Membership } from '../models/Membership.ts';
import { Team } from '../models/Team.ts';
import { createTeamFor } from './newTeam.ts';
import { signUpPolicy } from './signUpService.ts';
import { lockPresentUser } from './userStore.ts';

/** The operator of the installation, in place of a principal: may put every team into survival mode. */
export const OPERATOR = 'operator';

/**
 * Creates a team that the signed-in person owns. They may do so where sign-up is open or when they own a team already, so
 * that an invited member does not get a team of their own that way. Throws `sign_up_closed`, `account_limit_reached`.
 */
export async function createTeam(principal: Principal, name: string): Promise<Team> {
  const { userId } = requireSession(principal);
  return inTransaction(async (transaction) => {
    await lockPresentUser(userId, transaction);
    const owned = await ownedTeams(userId, transaction);
    if (owned.length === 0 && signUpPolicy() !== 'open') {
      throw new CodedError(
        'sign_up_closed',
        'Only owners of a team may create another one here. Ask to be invited to a team.',
      );
    }
    if (owned.length >= config.ownedTeams) {
      const message = `A person owns at most ${config.ownedTeams} teams. Make somebody else the owner of one first.`;
      throw new CodedError('account_limit_reached', message);
    }
    // The operator's further teams are exempt from the limits of new accounts, as their first one is.
    const hasNoLimits = owned.some((team) => team.hasNoLimits);
    return createTeamFor({ ownerId: userId, name, hasNoLimits }, transaction);
  });
}

/** The team of a key; for a person, the one of theirs with that id. Throws `not_found`, `insufficient_scope`. */
export async function findTeam(principal: Principal, teamId?: string | null): Promise<Team> {
  const id = principal.kind === 'key' ? principal.teamId : teamId;
  return authorizeTeam(principal, 'projects:read', id ?? '');
}

/** The teams of the signed-in person, newest first. */
export async function listTeams(principal: Principal, request: PageRequest): Promise<Page<Team>> {
  const { userId, roles } = requireSession(principal);
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Team, { id: { [Op.in]: [...roles.keys()] } }, request, ['teams', userId], order);
}

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

/**
 * Puts a team into survival mode, in which it can be read but not changed; a `reason` of null ends it. For owners and the
 * operator. Safe to repeat: the last reason is kept. Throws `not_found`, `insufficient_scope`.
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

async function ownedTeams(userId: string, transaction: Transaction): Promise<Team[]> {
  const owned = await Membership.findAll({ where: { userId, role: 'owner' }, transaction });
  // Deleted ones count: they can be restored, and still take up room.
  return Team.unscoped().findAll({ where: { id: { [Op.in]: owned.map(({ teamId }) => teamId) } }, transaction });
}
