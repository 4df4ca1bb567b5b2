import { inList, inListValue, withIndex } from '../db/dialects.ts';
import { type Bind, buildQuery } from '../db/query.ts';
import type { AuditEntry } from '../models/AuditEntry.ts';

/** Where entries tell of new links: by the id of the link, by that of the batch, or by an import with its batch. */
const SINGLE = "action = 'link.created'";
const BATCH = "action IN ('links.created_in_bulk', 'links.upserted_in_bulk', 'import.started')";
const BATCH_ID = "CASE action WHEN 'import.started' THEN details ->> 'batch_id' ELSE subject_id END";

/** The author of a change, as it is recorded. */
export type RecordedActor = Pick<AuditEntry, 'actorKind' | 'actorId'>;

/** A new link: its id, and the batch that it was created in. */
export interface CreatedLink {
  id: string;
  batchId: string | null;
}

/** Who created each of these links of the teams, by the ids of links; those whose entry has been deleted are missing. */
export async function recordedCreators(
  teamIds: readonly string[],
  links: readonly CreatedLink[],
): Promise<Map<string, RecordedActor>> {
  const singles = links.flatMap(({ id, batchId }) => (batchId === null ? [id] : []));
  const batches = links.flatMap(({ batchId }) => batchId ?? []);
  const [bySingle, byBatch] = await Promise.all([
    actorsBy('subject_id', SINGLE, 'audit_entries_of_subjects', teamIds, singles),
    actorsBy(BATCH_ID, BATCH, 'audit_entries_by_action', teamIds, batches),
  ]);
  const actors = links.map(({ id, batchId }) => [id, batchId === null ? bySingle.get(id) : byBatch.get(batchId)]);
  return new Map(actors.filter((entry): entry is [string, RecordedActor] => entry[1] !== undefined));
}

async function actorsBy(
  subject: string,
  condition: string,
  index: string,
  teamIds: readonly string[],
  subjects: readonly string[],
): Promise<Map<string, RecordedActor>> {
  if (subjects.length === 0) return new Map();
  const rows = await buildQuery<RecordedActor & { subject: string }>((bind) => {
    const ofTeams = inList('team_id', bind(inListValue(teamIds)));
    const about = inList(subject, bind(inListValue([...new Set(subjects)])));
    return `SELECT ${subject} AS subject, actor_kind AS "actorKind", actor_id AS "actorId"
      FROM ${withIndex('audit_entries', index)} WHERE ${ofTeams} AND ${condition} AND ${about}`;
  });
  return new Map(rows.map(({ subject: id, ...actor }) => [id, actor]));
}

/** SQL for the batches that a user or key created in a project, as a list of one column. */
export function batchesBy(projectId: string, actorId: string, bind: Bind): string {
  return `SELECT ${BATCH_ID} FROM ${withIndex('audit_entries', 'audit_entries_by_action')}
    WHERE team_id = ${teamOf(projectId, bind)} AND ${BATCH} AND project_id = ${bind(projectId)} AND actor_id = ${bind(actorId)}`;
}

/** SQL for the links that a user or key created one by one in a project, as the column `subject_id`. */
export function singlesBy(projectId: string, actorId: string, bind: Bind): string {
  return `SELECT subject_id FROM ${withIndex('audit_entries', 'audit_entries_of_actors')}
    WHERE team_id = ${teamOf(projectId, bind)} AND actor_id = ${bind(actorId)} AND ${SINGLE} AND project_id = ${bind(projectId)}`;
}

/** SQL for "this link was created by a user or key on its own". */
export function isSingleBy(projectId: string, actorId: string, linkId: string, bind: Bind): string {
  return `(SELECT COUNT(*) FROM ${withIndex('audit_entries', 'audit_entries_of_subjects')}
    WHERE team_id = ${teamOf(projectId, bind)} AND subject_id = ${linkId} AND ${SINGLE} AND actor_id = ${bind(actorId)}) > 0`;
}

function teamOf(projectId: string, bind: Bind): string {
  return `(SELECT team_id FROM projects WHERE id = ${bind(projectId)})`;
}
