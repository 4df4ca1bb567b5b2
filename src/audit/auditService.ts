import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { AUDIT_ACTIONS, type AuditAction } from '../../audit/actions.ts';
import { readByIds } from '../../db/readModels.ts';
import { Op, type WhereOptions } from '../../db/sequelize.ts';
import { notFound } from '../../kernel/errors.ts';
import { ApiKey } from '../../models/ApiKey.ts';
import { AuditEntry } from '../../models/AuditEntry.ts';
import { User } from '../../models/User.ts';
import { findPage, type Page, type PageRequest } from '../paging.ts';

/** What can be asked for. */
export const NOTED_ACTIONS = Object.keys(AUDIT_ACTIONS);

export interface AuditFilter {
  projectId?: string | null;
  actorId?: string | null;
  action?: string | null;
  subjectId?: string | null;
  /** From this moment on. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

/** Who did it. `name`: the e-mail of a user, the name of a key; null when they are gone, and for the operator. */
export interface AuditActor {
  kind: AuditEntry['actorKind'];
  id: string | null;
  name: string | null;
}

export type ShownAuditEntry = Pick<
  AuditEntry,
  'id' | 'action' | 'projectId' | 'subjectId' | 'subjectName' | 'details' | 'createdAt'
> & { about: string; actor: AuditActor };

/** Who changed what in a team, newest first, for all of its members. Throws `not_found` for a team of others. */
export async function listAudit(
  principal: Principal,
  teamId: string,
  { limit, cursor, ...filter }: AuditFilter & PageRequest,
): Promise<Page<ShownAuditEntry>> {
  if (!requireSession(principal).roles.has(teamId)) throw notFound('team');
  const where: WhereOptions[] = [{ teamId }];
  for (const name of ['projectId', 'actorId', 'action', 'subjectId'] as const) {
    if (filter[name]) where.push({ [name]: filter[name] });
  }
  if (filter.createdAfter) where.push({ createdAt: { [Op.gte]: filter.createdAfter } });
  if (filter.createdBefore) where.push({ createdAt: { [Op.lt]: filter.createdBefore } });
  const order = { attribute: 'createdAt', direction: 'DESC' } as const;
  const page = await findPage(AuditEntry, { [Op.and]: where }, { limit, cursor }, ['audit', teamId, filter], order);
  const names = await actorNames(page.data.flatMap(({ actorId }) => actorId ?? []));
  return { ...page, data: page.data.map((entry) => shown(entry, names)) };
}

/** What users and keys with these ids are called; those that are gone are missing. */
export async function actorNames(ids: readonly string[]): Promise<Map<string, string>> {
  const idsOf = (prefix: string) => [...new Set(ids.filter((id) => id.startsWith(prefix)))];
  const [users, keys] = await Promise.all([readByIds(User, idsOf('usr_')), readByIds(ApiKey, idsOf('key_'))]);
  return new Map([
    ...users.map(({ id, email }): [string, string] => [id, email]),
    ...keys.map(({ id, name }): [string, string] => [id, name]),
  ]);
}

function shown(entry: AuditEntry, names: Map<string, string>): ShownAuditEntry {
  const { id, action, projectId, subjectId, subjectName, details, createdAt, actorKind, actorId } = entry;
  const actor = { kind: actorKind, id: actorId, name: (actorId && names.get(actorId)) ?? null };
  const about = AUDIT_ACTIONS[action as AuditAction] ?? action;
  return { id, action, about, projectId, subjectId, subjectName, details, createdAt, actor };
}
