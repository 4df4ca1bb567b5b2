import { authorizeProject, authorizeTeam, requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { Op } from '../../db/sequelize.ts';
import { config } from '../../kernel/config.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import { type App, Project } from '../../models/Project.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

export interface ProjectInput {
  name?: string;
  defaultDomain?: string | null;
  matchWindowSeconds?: number;
  probabilisticMatching?: boolean;
  apps?: App[];
}

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
  const columns = projectColumns(input);
  return inTransaction((transaction) =>
    Project.create({ id: newId('prj'), apps: [], ...columns, teamId: team.id }, { transaction }),
  );
}

/** Changes the fields that are sent. Throws `not_found`, `validation_failed`. */
export async function updateProject(principal: Principal, id: string, input: ProjectInput): Promise<Project> {
  await authorizeProject(principal, 'projects:write', id);
  const columns = projectColumns(input);
  return inTransaction(async (transaction) => {
    const project = await Project.findByPk(id, { transaction, rejectOnEmpty: true });
    return project.update(columns, { transaction });
  });
}

function projectColumns(input: ProjectInput): ProjectInput {
  const domain = input.defaultDomain;
  if (domain && canonicalHost(domain) !== config.linkDomain) {
    throw validationFailed([
      { path: 'default_domain', message: `Is not a link domain of this project; use ${config.linkDomain}.` },
    ]);
  }
  return domain ? { ...input, defaultDomain: config.linkDomain } : input;
}

function whose(principal: Principal): string {
  if (principal.kind === 'key') return principal.projectId;
  return principal.kind === 'session' ? principal.userId : '';
}
