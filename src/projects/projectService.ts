import { authorizeProject, authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { recordAudit, recordChange } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { query } from '../db/query.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { domainProblem, holdDomains, usableDomains } from '../domains/usableDomains.ts';
import { config } from '../kernel/config.ts';
import { notFound, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { log } from '../kernel/log.ts';
import { canonicalHost, isOnBaseHost } from '../kernel/origins.ts';
import { type App, Project } from '../models/Project.ts';
import { Team } from '../models/Team.ts';

interface ProjectInput {
  name?: string;
  defaultDomain?: string | null;
  matchWindowSeconds?: number;
  probabilisticMatching?: boolean;
  maxEventValue?: number;
  apps?: App[] | null;
}

/** The fields that can be changed, as the audit log shows them. */
const FIELDS = [
  'name',
  'defaultDomain',
  'matchWindowSeconds',
  'probabilisticMatching',
  'maxEventValue',
  'apps',
] as const;

const NEWEST_FIRST = { attribute: 'createdAt', direction: 'DESC' } as const;

/** The projects that the principal may see, newest first: a key sees its own, a person those of their teams. */
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
  return findPage(Project, where, request, ['projects', teamId ?? null, cursorOwner(principal)], NEWEST_FIRST);
}

/** Creates a project in a team. Throws `not_found` for a team of others, `validation_failed`. */
export async function createProject(
  principal: Principal,
  input: ProjectInput & { teamId: string; name: string },
): Promise<Project> {
  const team = await authorizeTeam(principal, 'projects:write', input.teamId);
  // A new project has no domains yet.
  await checkProject('', input);
  const columns = projectColumns(input);
  if (columns.apps?.length) warnOfSharedHost();
  return inTransaction(async (transaction) => {
    // The team may have been deleted since it was found; the lock lets others create projects, but nobody delete it.
    const lock = transaction.LOCK.KEY_SHARE;
    if (!(await Team.findByPk(team.id, { transaction, lock }))) throw notFound('team');
    const project = await Project.create({ id: newId('prj'), apps: [], ...columns, teamId: team.id }, { transaction });
    await recordAudit(transaction, principal, { ...auditSubjectOfProject(project), action: 'project.created' });
    return project;
  });
}

/** Changes the fields that are sent. Throws `not_found`, `validation_failed`. */
export async function updateProject(principal: Principal, id: string, input: ProjectInput): Promise<Project> {
  await authorizeProject(principal, 'projects:write', id);
  await checkProject(id, input);
  const columns = projectColumns(input);
  if (columns.apps?.length) warnOfSharedHost();
  return inTransaction(async (transaction) => {
    // Domain before project: deleting a domain locks them in this order too.
    await lockDefaultDomain(id, columns, transaction);
    const project = await Project.findByPk(id, {
      transaction,
      lock: transaction.LOCK.NO_KEY_UPDATE,
      rejectOnEmpty: true,
    });
    const before = { ...project.get() };
    await project.update(columns, { transaction });
    const change = { ...auditSubjectOfProject(project), before, after: project.get(), fields: FIELDS };
    await recordChange(transaction, principal, { ...change, action: 'project.updated' });
    // Redirects cache the apps of the project.
    await announce(transaction, 'project', id);
    return project;
  });
}

/** At the start: warns if any project has apps although links share the host of our own pages. */
export async function warnIfAppsShareHost(): Promise<void> {
  const [registered] = await query("SELECT id FROM projects WHERE CAST(apps AS TEXT) <> '[]' LIMIT 1");
  if (registered) warnOfSharedHost();
}

function auditSubjectOfProject({ id, teamId, name }: Project) {
  return { teamId, projectId: id, subjectId: id, subjectName: name };
}

function projectColumns(input: ProjectInput): ProjectInput {
  const { defaultDomain, apps, ...plain } = input;
  return {
    ...plain,
    ...(defaultDomain === undefined ? {} : { defaultDomain: defaultDomain && canonicalHost(defaultDomain) }),
    ...(apps === undefined ? {} : { apps: (apps ?? []).map(completeApp) }),
  };
}

/** Throws `validation_failed` for a default domain that the project cannot use; the formats were validated before. */
async function checkProject(id: string, { defaultDomain }: ProjectInput): Promise<void> {
  if (!defaultDomain) return;
  const message = domainProblem(defaultDomain, await usableDomains(id, [defaultDomain]));
  if (message) throw validationFailed([{ path: 'default_domain', message }]);
}

/** Locks the default domain, which may have been deleted since it was checked. Throws `validation_failed`. */
async function lockDefaultDomain(id: string, { defaultDomain }: ProjectInput, transaction: Transaction): Promise<void> {
  if (!defaultDomain) return;
  const held = await holdDomains(id, [defaultDomain], transaction);
  const message = domainProblem(defaultDomain, [...held]);
  if (message) throw validationFailed([{ path: 'default_domain', message }]);
}

/** The app with null for each field that was not sent, so that every app is shown with all of its fields. */
function completeApp(app: App): App {
  const { platform, scheme = null } = app;
  if (platform === 'android') {
    return { platform, package: app.package, sha256_fingerprints: app.sha256_fingerprints, scheme };
  }
  const { bundle_id, team_id, app_store_id = null } = app;
  return { platform, bundle_id, team_id, app_store_id, scheme };
}

/** Whose list a cursor belongs to. */
function cursorOwner(principal: Principal): string {
  if (principal.kind === 'key') return principal.projectId;
  return principal.kind === 'session' ? principal.userId : '';
}

/** Warns that links share the host of our own pages, where they cannot open an app. */
function warnOfSharedHost(): void {
  if (!isOnBaseHost(config.linkDomain)) return;
  log.warn(
    `Apps are registered, and LINK_DOMAIN is the host of BASE_URL (${config.linkDomain}): links open no app (Universal Links, App Links) until LINK_DOMAIN is a host of its own or the project has a link domain.`,
  );
}
