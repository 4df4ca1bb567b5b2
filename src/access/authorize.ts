import { jsonObject } from '../db/dialects.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { lockRow } from '../db/transactions.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import type { Role } from '../models/Membership.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import type { Principal, SessionPrincipal } from './principal.ts';
import { ROLE_SCOPES, type Scope } from './scopes.ts';

type TeamState = Pick<Team, 'status' | 'readOnlyReason'>;

/** Of a project that is not deleted. */
const IS_LIVE = 'id = $1 AND deletion_at IS NULL';

/**
 * The project, if `principal` has `scope` in it. Together with `authorizeTeam` the one place where access is decided.
 * Throws `not_found` for a project of others, `insufficient_scope`, and `team_read_only` for a write in survival mode.
 */
export async function authorizeProject(principal: Principal, scope: Scope, projectId: string): Promise<Project> {
  if (principal.kind === 'nobody') throw notSignedIn();
  refuseLimited(principal);
  if (principal.kind === 'key') {
    requireScope(principal.scopes, scope);
    if (principal.projectId !== projectId) throw notFound('project');
  }
  const options = isWrite(scope) ? { extraColumns: { ownTeam: stateOfTeam('projects.team_id') } } : {};
  const [project] = await readRows<Project & { ownTeam?: TeamState }>(Project, IS_LIVE, [projectId], options);
  if (!project) throw notFound('project');
  if (principal.kind === 'session') requireRole(principal, scope, project.teamId, 'project');
  if (project.ownTeam) refuseInSurvivalMode(project.ownTeam);
  return project;
}

/**
 * Throws what `authorizeProject` throws, for callers that do not need the project itself: the project of a key is known
 * without asking the store.
 */
export async function allowInProject(principal: Principal, scope: Scope, projectId: string): Promise<void> {
  const isKnown = principal.kind === 'key' && principal.projectId === projectId;
  if (!isKnown) await authorizeProject(principal, scope, projectId);
  else {
    requireScope(principal.scopes, scope);
    await refuseReadOnly(scope, principal.teamId);
  }
}

/** The team, if `principal` has `scope` in it; keys may only read a team. Throws what `authorizeProject` throws. */
export async function authorizeTeam(principal: Principal, scope: Scope, teamId: string): Promise<Team> {
  if (principal.kind === 'nobody') throw notSignedIn();
  refuseLimited(principal);
  if (principal.kind === 'key') {
    requireScope(principal.scopes, scope);
    if (principal.teamId !== teamId || isWrite(scope)) throw notFound('team');
  } else {
    requireRole(principal, scope, teamId, 'team');
  }
  await refuseReadOnly(scope, teamId);
  const team = await Team.findByPk(teamId);
  if (!team) throw notFound('team');
  return team;
}

/** The team, if the signed-in person owns it; also in survival mode. Throws `not_found`, `insufficient_scope`. */
export async function authorizeOwner(principal: Principal, teamId: string): Promise<Team> {
  const role = requireSession(principal).roles.get(teamId);
  const team = role ? await Team.findByPk(teamId) : null;
  if (!team) throw notFound('team');
  if (role !== 'owner') throw onlyOwners(role);
  return team;
}

/**
 * The project, also a deleted one, if the signed-in person may delete it: owners and admins, also in survival mode. Throws
 * `not_found`, `insufficient_scope`.
 */
export async function authorizeDeletion(principal: Principal, projectId: string): Promise<Project> {
  const session = requireSession(principal);
  const [project] = await readRows(Project, 'id = $1', [projectId]);
  if (!project) throw notFound('project');
  requireRole(session, 'projects:write', project.teamId, 'project');
  return project;
}

/** The same for a team, which only its owners may delete. */
export async function authorizeTeamDeletion(principal: Principal, teamId: string): Promise<Team> {
  requireSession(principal);
  const role = roleIn(principal, teamId);
  const [team] = role ? await readRows(Team, 'id = $1', [teamId]) : [];
  if (!team) throw notFound('team');
  if (role !== 'owner') throw onlyOwners(role);
  return team;
}

/**
 * Throws `not_signed_in` for anyone but a signed-in person, `email_unconfirmed` until they have confirmed their e-mail, and
 * `account_deleted` unless they restore their deleted account.
 */
export function requireSession(principal: Principal): SessionPrincipal {
  const session = requirePendingSession(principal);
  refuseLimited(session);
  return session;
}

/** The session, also of a person who has not confirmed their e-mail or whose account is deleted. Throws `not_signed_in`. */
export function requirePendingSession(principal: Principal): SessionPrincipal {
  if (principal.kind !== 'session') throw notSignedIn();
  return principal;
}

function refuseLimited(principal: Principal): void {
  if (principal.kind !== 'session') return;
  if (principal.isDeleted) throw accountDeleted();
  if (!principal.isPending) return;
  const message =
    'Confirm your e-mail first: open the link in the mail that was sent to you. resendConfirmation sends another.';
  throw new CodedError('email_unconfirmed', message);
}

/** 403 for a person who is signed in to a deleted account. */
export function accountDeleted(): CodedError {
  return new CodedError('account_deleted', 'Your account is deleted. restoreAccount restores it until its deletionAt.');
}

/** The role of the signed-in person in a team, also in a deleted one; null for keys and outside the team. */
export function roleIn(principal: Principal, teamId: string): Role | null {
  if (principal.kind !== 'session') return null;
  return principal.roles.get(teamId) ?? principal.deletedRoles.get(teamId) ?? null;
}

/** What the principal may do in a team, whatever its state. */
export function scopesIn(principal: Principal, teamId: string): readonly Scope[] {
  if (principal.kind === 'key') return principal.teamId === teamId ? [...principal.scopes] : [];
  const role = roleIn(principal, teamId);
  return role ? ROLE_SCOPES[role] : [];
}

/** Throws `insufficient_scope` naming the scope that is missing. */
export function requireScope(scopes: ReadonlySet<Scope>, scope: Scope): void {
  if (!scopes.has(scope))
    throw new CodedError('insufficient_scope', `This needs the scope ${scope}, which the key lacks.`);
}

/** Throws `team_read_only` while the team is in survival mode, with the reason that was given. */
export function refuseInSurvivalMode({ status, readOnlyReason }: TeamState): void {
  if (status !== 'read_only') return;
  const reason = readOnlyReason ? ` (${readOnlyReason})` : '';
  throw new CodedError('team_read_only', `The team is in survival mode${reason}: it can be read but not changed.`);
}

function requireRole(principal: SessionPrincipal, scope: Scope, teamId: string, what: string): void {
  const role = principal.roles.get(teamId);
  if (!role) throw notFound(what);
  if (!ROLE_SCOPES[role].includes(scope)) {
    throw new CodedError('insufficient_scope', `This needs ${scope}, which the role ${role} does not have.`);
  }
}

function isWrite(scope: Scope): boolean {
  return scope.endsWith(':write');
}

/** SQL of the state of the team in this column, so that one statement reads what a write needs to know. */
function stateOfTeam(column: string): string {
  const state = jsonObject({ status: 'teams.status', readOnlyReason: 'teams.read_only_reason' });
  return `(SELECT ${state} FROM teams WHERE teams.id = ${column})`;
}

async function refuseReadOnly(scope: Scope, teamId: string): Promise<void> {
  if (!isWrite(scope)) return;
  const [team] = await readRows(Team, 'id = $1', [teamId]);
  if (team) refuseInSurvivalMode(team);
}

function onlyOwners(role: Role | null | undefined): CodedError {
  return new CodedError('insufficient_scope', `Only owners may do this; your role is ${role}.`);
}

function notSignedIn(): CodedError {
  return new CodedError('not_signed_in', 'Sign in first.');
}

/** Locks the membership of the team, by the team's row, until the transaction ends. */
export async function lockMembers(teamId: string, transaction: Transaction): Promise<void> {
  await lockRow('teams', teamId, transaction);
}
