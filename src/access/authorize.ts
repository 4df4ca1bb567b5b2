import { readModels } from '../db/readModels.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';
import type { Principal, SessionPrincipal } from './principal.ts';
import { ROLE_SCOPES, type Scope } from './scopes.ts';

/**
 * The one choke point. Gives the project if `principal` may do `scope` in it. Throws `not_found` for a project they
 * don't belong to, `insufficient_scope`, and `team_read_only` for a write in survival mode.
 */
export async function authorizeProject(principal: Principal, scope: Scope, projectId: string): Promise<Project> {
  if (principal.kind === 'nobody') throw notSignedIn();
  refusePending(principal);
  if (principal.kind === 'key') {
    requireScope(principal.scopes, scope);
    if (principal.projectId !== projectId) throw notFound('project');
  }
  const [project] = await readModels(Project, 'id = $1', [projectId]);
  if (!project) throw notFound('project');
  if (principal.kind === 'session') requireRole(principal, scope, project.teamId, 'project');
  await refuseReadOnly(scope, project.teamId);
  return project;
}

/**
 * Refuses the same, for those who need to know no more of the project than that it is theirs: of a key it is known
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

/** The same for a team; keys never act on a whole team but to read it. */
export async function authorizeTeam(principal: Principal, scope: Scope, teamId: string): Promise<Team> {
  if (principal.kind === 'nobody') throw notSignedIn();
  refusePending(principal);
  if (principal.kind === 'key') {
    requireScope(principal.scopes, scope);
    if (principal.teamId !== teamId || scope.endsWith(':write')) throw notFound('team');
  } else {
    requireRole(principal, scope, teamId, 'team');
  }
  await refuseReadOnly(scope, teamId);
  const team = await Team.findByPk(teamId);
  if (!team) throw notFound('team');
  return team;
}

/** The team, if the signed-in person owns it; survival mode is no hindrance. Throws `not_found`, `insufficient_scope`. */
export async function authorizeOwner(principal: Principal, teamId: string): Promise<Team> {
  const role = requireSession(principal).roles.get(teamId);
  const team = role ? await Team.findByPk(teamId) : null;
  if (!team) throw notFound('team');
  if (role !== 'owner') throw new CodedError('insufficient_scope', `Owners alone may do this; your role is ${role}.`);
  return team;
}

/** Throws `not_signed_in` for anyone but a signed-in person, and `email_unconfirmed` for who has to confirm first. */
export function requireSession(principal: Principal): SessionPrincipal {
  const session = requirePendingSession(principal);
  refusePending(session);
  return session;
}

/** The same, also for who has not confirmed their e-mail yet. */
export function requirePendingSession(principal: Principal): SessionPrincipal {
  if (principal.kind !== 'session') throw notSignedIn();
  return principal;
}

function refusePending(principal: Principal): void {
  if (principal.kind !== 'session' || !principal.isPending) return;
  const message =
    'Confirm your e-mail first: open the link in the mail that was sent to you. resendConfirmation sends another.';
  throw new CodedError('email_unconfirmed', message);
}

/** Throws `insufficient_scope` naming the scope that is missing. */
export function requireScope(scopes: ReadonlySet<Scope>, scope: Scope): void {
  if (!scopes.has(scope))
    throw new CodedError('insufficient_scope', `This needs the scope ${scope}, which the key lacks.`);
}

/** Throws `team_read_only` while the team is in survival mode. */
export function refuseInSurvivalMode({ status, readOnlyReason }: Team): void {
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

async function refuseReadOnly(scope: Scope, teamId: string): Promise<void> {
  if (!scope.endsWith(':write')) return;
  const [team] = await readModels(Team, 'id = $1', [teamId]);
  if (team) refuseInSurvivalMode(team);
}

function notSignedIn(): CodedError {
  return new CodedError('not_signed_in', 'Sign in first.');
}
