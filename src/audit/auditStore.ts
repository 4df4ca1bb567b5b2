import { sqlTime } from '../db/jsonRows.ts';
import { idsOfSources, type KeysetPosition, type Order } from '../db/paging.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import { readRowsByIds } from '../db/rows.ts';
import { AuditEntry } from '../models/AuditEntry.ts';

/** Conditions on the entries of a team; null and undefined are none. */
export interface AuditFilter {
  projectId?: string | null;
  /** The id of a user or a key. */
  actorId?: string | null;
  /** Entries with this action. */
  action?: string | null;
  /** Entries with one of these actions; an empty list is no condition. */
  actions?: string[] | null;
  subjectId?: string | null;
  /** At this moment or later. */
  createdAfter?: Date | null;
  /** Before this moment. */
  createdBefore?: Date | null;
}

export const NEWEST_ENTRIES: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'DESC' };

/** Up to `count` entries of a team after a position, newest first. Several actions are read one by one from their index. */
export async function readAudit(
  teamId: string,
  filter: AuditFilter,
  after: KeysetPosition | null,
  count: number,
): Promise<AuditEntry[]> {
  const actions = actionsOf(filter);
  const found = await buildQuery<{ id: string }>((bind) => {
    const sources = actions.map((action) => `audit_entries WHERE ${conditionsOf(teamId, filter, action, bind)}`);
    return idsOfSources(NEWEST_ENTRIES, sources.length > 0 ? sources : [NO_ENTRIES], after, count, bind);
  });
  const ids = found.map(({ id }) => id);
  const rows = new Map((await readRowsByIds(AuditEntry, ids)).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

const NO_ENTRIES = 'audit_entries WHERE 1 = 0';

/** The actions that both filters allow, each once; one null for any. */
function actionsOf({ action, actions }: AuditFilter): (string | null)[] {
  if (!actions || actions.length === 0) return [action ?? null];
  const wanted = [...new Set(actions)];
  return action ? wanted.filter((one) => one === action) : wanted;
}

function conditionsOf(teamId: string, filter: AuditFilter, action: string | null, bind: Bind): string {
  const { projectId, actorId, subjectId, createdAfter, createdBefore } = filter;
  const equal = { project_id: projectId, actor_id: actorId, action, subject_id: subjectId };
  return [
    `team_id = ${bind(teamId)}`,
    ...Object.entries(equal).flatMap(([column, value]) => (value ? [`${column} = ${bind(value)}`] : [])),
    ...(createdAfter ? [`created_at >= ${bind(sqlTime(createdAfter.getTime()))}`] : []),
    ...(createdBefore ? [`created_at < ${bind(sqlTime(createdBefore.getTime()))}`] : []),
  ].join(' AND ');
}
