import { authorizeTeamDeletion, refuseInSurvivalMode, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { lockOwnMembership } from '../accounts/memberships.ts';
import { type Proof, proveSelf } from '../accounts/proof.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { writeMail } from '../mail/mailQueue.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import { type Contents, countContents, countTeam } from './contents.ts';
import { mailMembers } from './mailDeletion.ts';
import { announceSwitch, resume } from './switchProjects.ts';

/** What a person would delete with the team. Throws `not_found`, `insufficient_scope`. */
export async function teamContents(principal: Principal, id: string): Promise<Contents> {
  const team = await authorizeTeamDeletion(principal, id);
  if (team.deletionAt) throw notFound('team');
  const projects = await Project.findAll({ attributes: ['id'], where: { teamId: id } });
  const contents = await countContents(projects.map((project) => project.id));
  const { members, webhooks } = await countTeam(id);
  return { ...contents, members, webhooks: contents.webhooks + webhooks };
}

/**
 * Deletes a team with its projects for an owner, who proves that it is them; also the last team of a person. Works
 * like `deleteProject`, and throws the same.
 */
export async function deleteTeam(principal: Principal, id: string, proof: Proof): Promise<Team> {
  const found = await authorizeTeamDeletion(principal, id);
  refuseInSurvivalMode(found);
  if (found.deletionAt) return found;
  endOfChecks();
  const proven = await proveSelf(principal, proof);
  return proven.change(async (person, transaction) => {
    const team = await lockForSwitch(principal, id, transaction);
    if (team.deletionAt) return team;
    const deletionAt = inSeconds(config.deletionDays * 86_400);
    await switchTeamOff(principal, team, deletionAt, transaction);
    const facts = { teamName: team.name, byEmail: person.email, deletionAt };
    const write = (recipient: { address: string; reference: string }) => writeMail('team_deleted', recipient, facts);
    await mailMembers(id, ['owner'], write, transaction);
    return team;
  });
}

/**
 * Restores a deleted team with the projects that were deleted with it; one that was deleted before keeps its own date. In
 * survival mode too. Safe to repeat. Throws `not_found`, also when its time is over, `insufficient_scope`.
 */
export async function restoreTeam(principal: Principal, id: string): Promise<Team> {
  await authorizeTeamDeletion(principal, id);
  return inTransaction(async (transaction) => {
    const team = await lockForSwitch(principal, id, transaction);
    await switchTeamOn(principal, team, transaction);
    return team;
  });
}

/** Deletes a team that is locked, with its projects, within the transaction of the caller. */
export async function switchTeamOff(
  principal: Principal,
  team: Team,
  deletionAt: Date,
  transaction: Transaction,
): Promise<void> {
  const { id } = team;
  await team.update({ deletionAt }, { transaction, silent: true });
  const lock = transaction.LOCK.UPDATE;
  const projects = await Project.findAll({ where: { teamId: id }, order: [['id', 'ASC']], transaction, lock });
  const switched = { deletionAt, deletedWithTeam: true };
  await Project.update(switched, { where: { teamId: id }, silent: true, transaction });
  const details = { deletion_at: deletionAt.toISOString() };
  await recordAudit(transaction, principal, { ...auditSubject(team), action: 'team.deleted', details });
  await announceSwitch({ teamId: id, projectIds: projects.map((project) => project.id) }, transaction);
}

/** Restores a team that is locked, with the projects that were deleted with it. Throws `not_found` when its time is over. */
export async function switchTeamOn(principal: Principal, team: Team, transaction: Transaction): Promise<void> {
  const { id, deletionAt, purgeBeganAt } = team;
  if (!deletionAt) return;
  if (purgeBeganAt || deletionAt.getTime() <= clock.now()) throw notFound('team');
  await team.update({ deletionAt: null }, { transaction, silent: true });
  const where = { teamId: id, deletedWithTeam: true };
  const projects = await Project.unscoped().findAll({ where, transaction });
  const restored = { deletionAt: null, deletedWithTeam: false };
  await Project.unscoped().update(restored, { where, silent: true, transaction });
  await recordAudit(transaction, principal, { ...auditSubject(team), action: 'team.restored' });
  await announceSwitch({ teamId: id, projectIds: projects.map((project) => project.id) }, transaction);
  await resume(projects, deletionAt, transaction);
}

/** The deleted teams that the signed-in person owns and can still restore, newest first. */
export async function listDeletedTeams(principal: Principal): Promise<Team[]> {
  const { deletedRoles } = requireSession(principal);
  const owned = [...deletedRoles].flatMap(([id, role]) => (role === 'owner' ? [id] : []));
  const where = { id: { [Op.in]: owned }, deletionAt: { [Op.gt]: now() }, purgeBeganAt: null };
  return Team.unscoped().findAll({ where, order: [['createdAt', 'DESC']] });
}

/** The team, locked, if the person still owns it. Throws `not_found`, `insufficient_scope`. */
async function lockForSwitch(principal: Principal, id: string, transaction: Transaction): Promise<Team> {
  const { role } = await lockOwnMembership(principal, id, transaction);
  if (role !== 'owner') throw new CodedError('insufficient_scope', `Only owners may do this; your role is ${role}.`);
  const team = await Team.unscoped().findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!team) throw notFound('team');
  return team;
}

function auditSubject({ id, name }: Team) {
  return { teamId: id, projectId: null, subjectId: id, subjectName: name };
}
