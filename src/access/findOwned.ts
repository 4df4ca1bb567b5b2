import { inList, inListValue, withoutIndex } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Model, ModelStatic, Transaction, WhereOptions } from '../db/sequelize.ts';
import { CodedError, notFound } from '../kernel/errors.ts';
import { Project } from '../models/Project.ts';
import { authorizeProject, authorizeTeam, requireSession } from './authorize.ts';
import { ofLiveProject } from './notDeleted.ts';
import type { Principal } from './principal.ts';
import { ROLE_SCOPES, type Scope } from './scopes.ts';

/** A row that belongs to a project, or to a whole team when `projectId` is null. */
type Owned = Model & { id: string; projectId: string | null; teamId?: string };

/**
 * The row with that id, if the principal has `scope` for it; a key finds only rows of its own project, never those of a
 * whole team. Throws `not_found` with the same message for a row that does not exist and one that belongs to others;
 * `what` names the resource in that message.
 */
export async function findOwned<Row extends Owned>(
  model: ModelStatic<Row>,
  principal: Principal,
  scope: Scope,
  id: string,
  what: string,
): Promise<Row> {
  const { projectId } = principal.kind === 'key' ? principal : { projectId: null };
  // A key without the scope is refused before the row is looked for.
  if (projectId) await authorizeProject(principal, scope, projectId);
  else requireSession(principal);
  const where: WhereOptions = projectId ? { id, projectId } : { id };
  const row = await model.findOne({ where });
  if (!row) throw notFound(what);
  if (!projectId) await authorizeOwnerOf(row, principal, scope, what);
  return row;
}

/**
 * The rows with these ids for which the principal has `scope`, by id, in one query. Rows that do not exist and rows of
 * others are missing alike.
 */
export async function findOwnedByIds<Row extends Owned>(
  model: ModelStatic<Row>,
  principal: Principal,
  scope: Scope,
  ids: readonly string[],
): Promise<Map<string, Row>> {
  const owner = ownerCondition(model, principal, scope);
  if (!owner || ids.length === 0) return new Map();
  const rows = await readRows(model, `${inList('id', '$1')} AND ${owner.condition}`, [inListValue(ids), owner.value], {
    select: queryRaw,
  });
  return new Map(rows.map((row) => [row.id, row]));
}

/** The SQL by which rows belong to what the principal may access, as the parameter $2; null: to nothing. */
function ownerCondition(
  model: ModelStatic<Owned>,
  principal: Principal,
  scope: Scope,
): { condition: string; value: unknown } | null {
  // SQLite would read all rows of the owner to find the ids; `withoutIndex` keeps it from that index.
  if (principal.kind === 'key') {
    return principal.scopes.has(scope)
      ? { condition: `${withoutIndex('project_id')} = $2`, value: principal.projectId }
      : null;
  }
  if (principal.kind === 'nobody' || principal.isPending || principal.isDeleted) return null;
  const teamIds = [...principal.roles].filter(([, role]) => ROLE_SCOPES[role].includes(scope)).map(([id]) => id);
  const condition =
    'teamId' in model.getAttributes()
      ? `${inList(withoutIndex('team_id'), '$2')} AND ${ofLiveProject(`${model.tableName}.project_id`)}`
      : `${withoutIndex('project_id')} IN (SELECT id FROM projects WHERE ${inList('team_id', '$2')} AND deletion_at IS NULL)`;
  return { condition, value: inListValue(teamIds) };
}

async function authorizeOwnerOf(row: Owned, principal: Principal, scope: Scope, what: string): Promise<void> {
  try {
    if (row.projectId) await authorizeProject(principal, scope, row.projectId);
    else await authorizeTeam(principal, scope, row.teamId ?? '');
  } catch (error) {
    // The message names the resource, not the project or team that the principal cannot see.
    throw error instanceof CodedError && error.code === 'not_found' ? notFound(what) : error;
  }
}

/** The team of a project, which every audit entry names. Throws `not_found`, also for a project that was just deleted. */
export async function teamOf(projectId: string, transaction: Transaction): Promise<{ teamId: string }> {
  const [project] = await readRows(Project, 'id = $1 AND deletion_at IS NULL', [projectId], { transaction });
  if (!project) throw notFound('project');
  return project;
}
