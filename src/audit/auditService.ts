import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { readRowsByIds } from '../db/rows.ts';
import { Op, type Transaction, type WhereOptions } from '../db/sequelize.ts';
import { notFound } from '../kernel/errors.ts';
import { ApiKey } from '../models/ApiKey.ts';
import { AuditEntry } from '../models/AuditEntry.ts';
import { User } from '../models/User.ts';
import { AUDIT_ACTIONS, type AuditAction } from './actions.ts';
import { type CreatedLink, type RecordedActor, recordedCreators } from './actorStore.ts';

/** The actions by which the audit log can be filtered. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS);

export interface AuditFilter {
  projectId?: string | null;
  actorId?: string | null;
  action?: string | null;
  subjectId?: string | null;
  /** At this moment or later. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

/** The author of a change. `name`: the e-mail of a user or the name of a key; null once they are deleted, and for the operator. */
export interface AuditActor {
  kind: AuditEntry['actorKind'];
  id: string | null;
  name: string | null;
}

/** An entry as members see it; `about` is the action as a sentence. */
export type ShownAuditEntry = Pick<
  AuditEntry,
  'id' | 'action' | 'projectId' | 'subjectId' | 'subjectName' | 'details' | 'createdAt'
> & { about: string; actor: AuditActor };

/** The audit log of a team, newest first, for every member. Throws `not_found` for a team of others. */
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
  return { ...page, data: page.data.map((entry) => presentEntry(entry, names)) };
}

/** Who created these links of these teams, by the ids of links; those whose entry has been deleted are missing. */
export async function creatorsOf(
  teamIds: readonly string[],
  links: readonly CreatedLink[],
): Promise<Map<string, AuditActor>> {
  const actors = await recordedCreators(teamIds, links);
  const names = await actorNames([...actors.values()].flatMap(({ actorId }) => actorId ?? []));
  return new Map([...actors].map(([id, actor]) => [id, presentActor(actor, names)]));
}

/**
 * Who changed a link of the team at that moment, by the first entry since; null when there is none: entries of bulk calls
 * and imports name no single link, and scans make none.
 */
export async function authorOfChange(
  { teamId, linkId, at }: { teamId: string; linkId: string; at: Date },
  transaction: Transaction,
): Promise<AuditActor | null> {
  const action = { [Op.ne]: 'link.review_requested' satisfies AuditAction };
  const order: [string, string][] = [['createdAt', 'ASC']];
  const where = { teamId, subjectId: linkId, action, createdAt: { [Op.gte]: at } };
  const entry = await AuditEntry.findOne({ where, order, transaction });
  if (!entry) return null;
  return presentActor(entry, await actorNames(entry.actorId ? [entry.actorId] : [], transaction));
}

/** The e-mails of users and the names of keys, by id; deleted ones are missing. */
export async function actorNames(ids: readonly string[], transaction?: Transaction): Promise<Map<string, string>> {
  const idsOf = (prefix: string) => [...new Set(ids.filter((id) => id.startsWith(prefix)))];
  const [users, keys] = await Promise.all([
    readRowsByIds(User, idsOf('usr_'), transaction),
    readRowsByIds(ApiKey, idsOf('key_'), transaction),
  ]);
  return new Map([
    ...users.map(({ id, email }): [string, string] => [id, email]),
    ...keys.map(({ id, name }): [string, string] => [id, name]),
  ]);
}

function presentEntry(entry: AuditEntry, names: Map<string, string>): ShownAuditEntry {
  const { id, action, projectId, subjectId, subjectName, details, createdAt } = entry;
  const actor = presentActor(entry, names);
  const about = AUDIT_ACTIONS[action as AuditAction] ?? action;
  return { id, action, about, projectId, subjectId, subjectName, details, createdAt, actor };
}

function presentActor({ actorKind, actorId }: RecordedActor, names: Map<string, string>): AuditActor {
  return { kind: actorKind, id: actorId, name: (actorId && names.get(actorId)) ?? null };
}
