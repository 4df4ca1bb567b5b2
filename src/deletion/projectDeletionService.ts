import {
  authorizeDeletion,
  authorizeTeam,
  refuseInSurvivalMode,
  requireSession,
  scopesIn,
} from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { lockOwnMembership, refuseUnlessManages } from '../accounts/memberships.ts';
import { type Proof, proveSelf } from '../accounts/proof.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, inSeconds, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { endOfChecks } from '../kernel/dryRun.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { writeMail } from '../mail/mailQueue.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import { type Contents, countContents } from './contents.ts';
import { mailMembers } from './mailDeletion.ts';
import { announceSwitch, resume } from './switchProjects.ts';

export type { Contents } from './contents.ts';

/** What a person would delete with the project. Throws `not_found`, `insufficient_scope`. */
export async function projectContents(principal: Principal, id: string): Promise<Contents> {
  const project = await authorizeDeletion(principal, id);
  if (project.deletionAt) throw notFound('project');
  return countContents([project.id]);
}

/**
 * Deletes a project for owners and admins, who prove that it is them. It is out of sight and out of use at once, can
 * be restored for DELETION_DAYS, and is then deleted for good by `purgeDeleted`. Safe to repeat: the first time counts, and
 * only it checks the proof. Throws `not_found`, `insufficient_scope`, `team_read_only`, and what `proveSelf` throws.
 */
export async function deleteProject(principal: Principal, id: string, proof: Proof): Promise<Project> {
  const found = await authorizeDeletion(principal, id);
  const { teamId } = found;
  const team = await Team.findByPk(teamId);
  if (!team) throw notFound('project');
  refuseInSurvivalMode(team);
  if (found.deletionAt) return found;
  endOfChecks();
  const proven = await proveSelf(principal, proof);
  return proven.change(async (person, transaction) => {
    const project = await lockForSwitch(principal, { id, teamId }, transaction);
    if (project.deletionAt) return project;
    const deletionAt = inSeconds(config.deletionDays * 86_400);
    await project.update({ deletionAt }, { transaction, silent: true });
    const details = { deletion_at: deletionAt.toISOString() };
    await recordAudit(transaction, principal, { ...auditSubject(project), action: 'project.deleted', details });
    await announceSwitch({ teamId, projectIds: [id] }, transaction);
    const facts = { projectName: project.name, teamName: team.name, teamId, byEmail: person.email, deletionAt };
    const write = (recipient: { address: string; reference: string }) => writeMail('project_deleted', recipient, facts);
    await mailMembers(teamId, ['owner', 'admin'], write, transaction);
    return project;
  });
}

/**
 * Restores a deleted project with everything in it, for those who may delete it. In survival mode too, because otherwise
 * the project would be lost meanwhile. Safe to repeat. Throws `not_found`, also when its time is over, `insufficient_scope`.
 */
export async function restoreProject(principal: Principal, id: string): Promise<Project> {
  const { teamId } = await authorizeDeletion(principal, id);
  return inTransaction(async (transaction) => {
    const project = await lockForSwitch(principal, { id, teamId }, transaction);
    const { deletionAt, purgeBeganAt } = project;
    if (!deletionAt) return project;
    if (purgeBeganAt || deletionAt.getTime() <= clock.now()) throw notFound('project');
    await project.update({ deletionAt: null }, { transaction, silent: true });
    await recordAudit(transaction, principal, { ...auditSubject(project), action: 'project.restored' });
    await announceSwitch({ teamId, projectIds: [id] }, transaction);
    await resume([project], deletionAt, transaction);
    return project;
  });
}

/** The deleted projects of a team that can still be restored, for those who may do so. Throws `not_found`, `insufficient_scope`. */
export async function listDeletedProjects(
  principal: Principal,
  { teamId, ...request }: PageRequest & { teamId: string },
): Promise<Page<Project>> {
  requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  if (!scopesIn(principal, teamId).includes('projects:write')) {
    throw new CodedError('insufficient_scope', 'Only owners and admins may do this.');
  }
  const where = { teamId, deletionAt: { [Op.gt]: now() }, purgeBeganAt: null };
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  return findPage(Project.unscoped(), where, request, ['deleted projects', teamId], order);
}

/** The project, locked, if the role of the person still allows to delete it. Throws `not_found`, `insufficient_scope`. */
async function lockForSwitch(
  principal: Principal,
  { id, teamId }: { id: string; teamId: string },
  transaction: Transaction,
): Promise<Project> {
  const mine = await lockOwnMembership(principal, teamId, transaction);
  refuseUnlessManages(mine.role);
  // Of a deleted team nothing can be restored alone. It may have been deleted since the request began.
  if (!(await Team.findByPk(teamId, { transaction }))) throw notFound('project');
  const project = await Project.unscoped().findByPk(id, { transaction, lock: transaction.LOCK.UPDATE });
  if (!project) throw notFound('project');
  return project;
}

function auditSubject({ id, teamId, name }: Project) {
  return { teamId, projectId: id, subjectId: id, subjectName: name };
}
