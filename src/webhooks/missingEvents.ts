import { among, amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { deliveryId } from '../planDeliveries.ts';
import { matches } from '../select.ts';
import type { ReplayRange } from './range.ts';

/** Where a walk over events stands: behind that event, among those of one project (null: of none). */
export interface EventPosition {
  /** Which of the projects, in the order of their ids. */
  project: number;
  at: string;
  id: string;
}

export interface EventPage {
  /** Ids of the events that the webhook wants and has no delivery of. */
  missing: string[];
  /** Null at the end. */
  next: EventPosition | null;
}

/** Events looked at in one step. */
const STEP = 1000;

interface Narrow {
  id: string;
  type: string;
  team_id: string;
  project_id: string | null;
  link_id: string | null;
  tag_ids: string | string[];
  traffic_class: string | null;
  webhook_id: string | null;
  alert: string | Record<string, unknown> | null;
}

/** A step over the events of a range that have left the outbox, from `position` on (null: from its beginning). */
export async function missingEvents(
  { webhook, since, until }: ReplayRange,
  position: EventPosition | null,
  transaction?: Transaction,
): Promise<EventPage> {
  const projects = await projectsOf(webhook, transaction);
  const at = position ?? { project: 0, at: sqlTime(since.getTime()), id: '' };
  if (at.project >= projects.length) return { missing: [], next: null };
  const projectId = projects[at.project] ?? null;
  const found = await selectBound<{ id: string; created_at: string | Date }>(
    `SELECT id, created_at FROM events WHERE ${projectId === null ? 'project_id IS NULL AND team_id = $1' : 'project_id = $1'}
       AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id LIMIT ${STEP}`,
    [projectId ?? webhook.teamId, at.at, at.id, sqlTime(until.getTime())],
    transaction,
  );
  const rows = await readNarrow(
    found.map(({ id }) => id),
    transaction,
  );
  // As it is when it is enabled: what is missing now is sent then.
  const receiver = { ...webhook.get(), status: 'enabled' } as Webhook;
  const wanted = rows.filter((row) => row.webhook_id === null && matches(receiver, selectable(row)));
  const last = found.at(-1);
  const next =
    last && found.length === STEP
      ? { project: at.project, at: sqlTime(new Date(last.created_at).getTime()), id: last.id }
      : { project: at.project + 1, at: sqlTime(since.getTime()), id: '' };
  const missing = await withoutDelivery(
    wanted.map(({ id }) => id),
    webhook,
    transaction,
  );
  return { missing, next: next.project < projects.length ? next : null };
}

/** After the walk, which reads the index alone: tables that were never analysed are sorted otherwise. */
function readNarrow(ids: string[], transaction?: Transaction): Promise<Narrow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return selectBound<Narrow>(
    `SELECT id, type, team_id, project_id, link_id, tag_ids, traffic_class, webhook_id,
       CASE type WHEN 'alert.created' THEN data END AS alert
     FROM events WHERE ${among('id', '$1')} AND fanned_out_at IS NOT NULL`,
    [amongValue(ids)],
    transaction,
  );
}

/** The ids of deliveries follow from event and webhook: what there is, is found by its primary key. */
async function withoutDelivery(
  eventIds: string[],
  webhook: ReplayRange['webhook'],
  transaction?: Transaction,
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const byDelivery = new Map(eventIds.map((id) => [deliveryId({ id }, webhook), id]));
  const rows = await selectBound<{ id: string }>(
    `SELECT id FROM deliveries WHERE ${among('id', '$1')}`,
    [amongValue([...byDelivery.keys()])],
    transaction,
  );
  for (const { id } of rows) byDelivery.delete(id);
  return [...byDelivery.values()];
}

function selectable(row: Narrow) {
  const parsed = (json: unknown) => (typeof json === 'string' ? JSON.parse(json) : json);
  return {
    type: row.type,
    teamId: row.team_id,
    projectId: row.project_id,
    linkId: row.link_id,
    tagIds: parsed(row.tag_ids) as string[],
    trafficClass: row.traffic_class,
    webhookId: row.webhook_id,
    ...(row.alert === null ? {} : { data: parsed(row.alert) as Record<string, unknown> }),
  };
}

/** Whose events a webhook may get; null: the team's own. */
async function projectsOf(
  { projectId, teamId }: ReplayRange['webhook'],
  transaction?: Transaction,
): Promise<(string | null)[]> {
  if (projectId) return [projectId];
  const rows = await selectBound<{ id: string }>(
    `SELECT id FROM projects WHERE team_id = $1 ORDER BY id${dialect() === 'postgres' ? ' COLLATE "C"' : ''}`,
    [teamId],
    transaction,
  );
  return [...rows.map(({ id }) => id), null];
}
