import { authorizeProject, authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { recordChange } from '../../audit/recordChange.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { Op, type Transaction } from '../../db/sequelize.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { type App, Project } from '../../models/Project.ts';
import { domainProblem, holdDomains, usableDomains } from '../domains/usableDomains.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';
import { warnOfOneHost } from './warnOfOneHost.ts';

export interface ProjectInput {
  name?: string;
  defaultDomain?: string | null;
  matchWindowSeconds?: number;
  probabilisticMatching?: boolean;
  maxEventValue?: number;
  apps?: App[] | null;
}

/** What can be changed. */
const FIELDS = [
  'name',
  'defaultDomain',
  'matchWindowSeconds',
  'probabilisticMatching',
  'maxEventValue',
  'apps',
] as const;

const NEWEST_FIRST = { attribute: 'createdAt', direction: 'DESC' } as const;

/** The projects that the principal sees: a key its own, a person those of their teams; newest first. */
export async function listProjects(
  principal: Principal,
  { teamId, ...request }: PageRequest & { teamId?: string | null },
): Promise<Page<Project>> {
  if (principal.kind === 'key') await authorizeProject(principal, 'projects:read', principal.projectId);
  else if (teamId) await authorizeTeam(principal, 'projects:read', teamId);
  const where =
    principal.kind === 'key'
      ? { id: principal.projectId }
      : { teamId: { [Op.in]: teamId ? [teamId] : [...requireSession(principal).roles.keys()] } };
  return findPage(Project, where, request, ['projects', teamId ?? null, whose(principal)], NEWEST_FIRST);
}

/** Makes a project in a team. Throws `not_found` for a team of others, `validation_failed`. */
export async function createProject(
  principal: Principal,
  input: ProjectInput & { teamId: string; name: string },
): Promise<Project> {
  const team = await authorizeTeam(principal, 'projects:write', input.teamId);
  // A new project has no domains yet.
  await checkProject('', input);
  const columns = projectColumns(input);
  if (columns.apps?.length) warnOfOneHost();
  return inTransaction(async (transaction) => {
    const project = await Project.create({ id: newId('prj'), apps: [], ...columns, teamId: team.id }, { transaction });
    await recordAudit(transaction, principal, { ...aboutProject(project), action: 'project.created' });
    return project;
  });
}

/** Changes the fields that are sent. Throws `not_found`, `validation_failed`. */
export async function updateProject(principal: Principal, id: string, input: ProjectInput): Promise<Project> {
  await authorizeProject(principal, 'projects:write', id);
  await checkProject(id, input);
  const columns = projectColumns(input);
  if (columns.apps?.length) warnOfOneHost();
  return inTransaction(async (transaction) => {
    // Before the project, as whoever deletes a domain does it.
    await holdDefaultDomain(id, columns, transaction);
    const project = await Project.findByPk(id, {
      transaction,
      lock: transaction.LOCK.NO_KEY_UPDATE,
      rejectOnEmpty: true,
    });
    const before = { ...project.get() };
    await project.update(columns, { transaction });
    const change = { ...aboutProject(project), before, after: project.get(), fields: FIELDS };
    await recordChange(transaction, principal, { ...change, action: 'project.updated' });
    // Redirects know the apps of the project.
    await announce(transaction, 'project', id);
    return project;
  });
}

function aboutProject({ id, teamId, name }: Project) {
  return { teamId, projectId: id, subjectId: id, subjectName: name };
}

function projectColumns(input: ProjectInput): ProjectInput {
  const { defaultDomain, apps, ...plain } = input;
  return {
    ...plain,
    ...(defaultDomain === undefined ? {} : { defaultDomain: defaultDomain && canonicalHost(defaultDomain) }),
    ...(apps === undefined ? {} : { apps: (apps ?? []).map(wholeApp) }),
  };
}

/** Throws `validation_failed` for what depends on this installation; the forms were checked at the door. */
export async function checkProject(id: string, { defaultDomain }: ProjectInput): Promise<void> {
  if (!defaultDomain) return;
  const message = domainProblem(defaultDomain, await usableDomains(id, [defaultDomain]));
  if (message) throw validationFailed([{ path: 'default_domain', message }]);
}

/** It was looked up before the transaction, and may be gone. */
async function holdDefaultDomain(id: string, { defaultDomain }: ProjectInput, transaction: Transaction): Promise<void> {
  if (!defaultDomain) return;
  const held = await holdDomains(id, [defaultDomain], transaction);
  const message = domainProblem(defaultDomain, [...held]);
  if (message) throw validationFailed([{ path: 'default_domain', message }]);
}

/** What was not said about an app is null, so that every app is shown with all of its fields. */
function wholeApp(app: App): App {
  const { platform, scheme = null } = app;
  if (platform === 'android') {
    return { platform, package: app.package, sha256_fingerprints: app.sha256_fingerprints, scheme };
  }
  const { bundle_id, team_id, app_store_id = null } = app;
  return { platform, bundle_id, team_id, app_store_id, scheme };
}

function whose(principal: Principal): string {
  if (principal.kind === 'key') return principal.projectId;
  return principal.kind === 'session' ? principal.userId : '';
}
