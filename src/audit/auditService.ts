import { requireSession } from '../access/authorize.ts';
import type { Principal } from '../access/principal.ts';
import { type Page, type PageRequest, readPage } from '../db/paging.ts';
import { Op, type Transaction } from '../db/sequelize.ts';
import { notFound } from '../kernel/errors.ts';
import { AuditEntry } from '../models/AuditEntry.ts';
import { AUDIT_ACTIONS, type AuditAction } from './actions.ts';
import { actorNames } from './actorNames.ts';
import { type CreatedLink, type RecordedActor, recordedCreators } from './actorStore.ts';
import { type AuditFilter, NEWEST_ENTRIES, readAudit } from './auditStore.ts';

/** The actions by which the audit log can be filtered. */
export const AUDIT_ACTION_NAMES = Object.keys(AUDIT_ACTIONS);

/** Every action that is recorded, with its description as a sentence. Throws `not_signed_in`. */
export function listAuditActions(principal: Principal): { action: string; about: string }[] {
  requireSession(principal);
  return Object.entries(AUDIT_ACTIONS).map(([action, about]) => ({ action, about }));
}

/** The author of a change. `name`: see `actorNames`; null once they are deleted, and for the operator. */
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
  const list = ['audit', teamId, filter];
  const { data, nextCursor } = await readPage(NEWEST_ENTRIES, { limit, cursor }, list, async (after, count) => {
    const entries = await readAudit(teamId, filter, after, count);
    return entries.map((entry) => ({ id: entry.id, value: entry.createdAt, entry }));
  });
  const page = { data: data.map(({ entry }) => entry), nextCursor };
  const names = await actorNames(
    [teamId],
    page.data.flatMap(({ actorId }) => actorId ?? []),
  );
  return { ...page, data: page.data.map((entry) => presentEntry(entry, names)) };
}

/** What users and keys are called in the teams of the principal, by id; see `actorNames`. */
export function namesOfActors(principal: Principal, ids: readonly string[]): Promise<Map<string, string>> {
  return actorNames(teamsOf(principal), ids);
}

function teamsOf(principal: Principal): string[] {
  if (principal.kind === 'session') return [...principal.roles.keys()];
  return principal.kind === 'key' ? [principal.teamId] : [];
}

/** Who created these links of these teams, by the ids of links; those whose entry has been deleted are missing. */
export async function creatorsOf(
  teamIds: readonly string[],
  links: readonly CreatedLink[],
): Promise<Map<string, AuditActor>> {
  const actors = await recordedCreators(teamIds, links);
  const names = await actorNames(
    teamIds,
    [...actors.values()].flatMap(({ actorId }) => actorId ?? []),
  );
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
  return presentActor(entry, await actorNames([teamId], entry.actorId ? [entry.actorId] : [], transaction));
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
