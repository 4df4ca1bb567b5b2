import { authorizeProject, authorizeTeam, requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import type { Scope } from '../access/scopes.ts';
import type { Model, ModelStatic, WhereOptions } from '../db/sequelize.ts';
import { CodedError, notFound } from '../kernel/errors.ts';

/** A row of a project; where it has a team beside it, `projectId` null makes it the whole team's. */
type Owned = Model & { id: string; projectId: string | null; teamId?: string };

/**
 * The row with that id, if the principal may do `scope` with it; a key finds rows of its own project alone. Throws
 * `not_found` in the same words for what does not exist and what belongs to others; `what` names it there.
 */
export async function findOwned<Row extends Owned>(
  model: ModelStatic<Row>,
  principal: Principal,
  scope: Scope,
  id: string,
  what: string,
): Promise<Row> {
  const { projectId } = principal.kind === 'key' ? principal : { projectId: null };
  // What the key may not do at all is refused before anything is looked for.
  if (projectId) await authorizeProject(principal, scope, projectId);
  else requireSession(principal);
  const where: WhereOptions = projectId ? { id, projectId } : { id };
  const row = await model.findOne({ where });
  if (!row) throw notFound(what);
  if (!projectId) await authorizeOwnerOf(row, principal, scope, what);
  return row;
}

async function authorizeOwnerOf(row: Owned, principal: Principal, scope: Scope, what: string): Promise<void> {
  try {
    if (row.projectId) await authorizeProject(principal, scope, row.projectId);
    else await authorizeTeam(principal, scope, row.teamId ?? '');
  } catch (error) {
    // The thing of another team is no thing at all, not "no such project".
    throw error instanceof CodedError && error.code === 'not_found' ? notFound(what) : error;
  }
}
