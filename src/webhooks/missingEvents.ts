import { byBytes, inList, inListValue, limitInOrder } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Webhook } from '../models/Webhook.ts';
import { eventsInBatches } from './batchStore.ts';
import { matches } from './decideReceivers.ts';
import { deliveryId } from './deliveryStore.ts';

/** The kinds of replay: unsuccessful deliveries, matching events without a delivery, or both and all other deliveries. */
export const REPLAYS = ['failed', 'missing', 'all'] as const;

export interface ReplayRange {
  webhook: Webhook;
  /** The time of the events: `since` is inclusive, `until` exclusive. */
  since: Date;
  until: Date;
}

/** The condition for existing deliveries that each kind sends again; null for none. */
export const STATUSES = {
  failed: "status IN ('failed', 'cancelled')",
  missing: null,
  all: '1 = 1',
} as const satisfies Record<(typeof REPLAYS)[number], string | null>;

/** The condition for deliveries in a range; its parameters $1 to $3 are `rangeValues`. */
export const IN_RANGE = 'webhook_id = $1 AND event_at >= $2 AND event_at < $3 AND is_test = false';

export function rangeValues({ webhook, since, until }: ReplayRange): string[] {
  return [webhook.id, sqlTime(since.getTime()), sqlTime(until.getTime())];
}

/** The position of a scan: behind this event of one project. */
export interface EventPosition {
  /** Index of the project, by id; after the projects come the events of the team itself. */
  project: number;
  at: string;
  id: string;
}

interface EventPage {
  /** Ids of the matching events without a delivery. */
  missing: string[];
  /** Null at the end. */
  next: EventPosition | null;
}

/** Events that one step reads. */
const STEP = 1000;

/** The columns of an event that `matches` needs; `data` only for alerts, since it is large. */
interface MatchRow {
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

/** Scans the next events of a range that have left the outbox, from `position` on; null for the beginning. */
export async function missingEvents(
  { webhook, since, until }: ReplayRange,
  position: EventPosition | null,
  transaction?: Transaction,
): Promise<EventPage> {
  const projects = await projectsOf(webhook, transaction);
  const at = position ?? { project: 0, at: sqlTime(since.getTime()), id: '' };
  if (at.project >= projects.length) return { missing: [], next: null };
  const projectId = projects[at.project] ?? null;
  const found = await queryRaw<{ id: string; created_at: string | Date }>(
    `SELECT id, created_at FROM events WHERE ${projectId === null ? 'project_id IS NULL AND team_id = $1' : 'project_id = $1'}
       AND (created_at, id) > ($2, $3) AND created_at < $4 ORDER BY created_at, id ${limitInOrder(STEP)}`,
    [projectId ?? webhook.teamId, at.at, at.id, sqlTime(until.getTime())],
    transaction,
  );
  const rows = await readMatchRows(
    found.map(({ id }) => id),
    transaction,
  );
  // A replay runs for an enabled webhook, even if it was disabled when the events happened.
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

/** Apart from the scan, which reads only the index: on a table without statistics PostgreSQL would sort the rows instead. */
function readMatchRows(ids: string[], transaction?: Transaction): Promise<MatchRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return queryRaw<MatchRow>(
    `SELECT id, type, team_id, project_id, link_id, tag_ids, traffic_class, webhook_id,
       CASE type WHEN 'alert.created' THEN data END AS alert
     FROM events WHERE ${inList('id', '$1')} AND fanned_out_at IS NOT NULL`,
    [inListValue(ids)],
    transaction,
  );
}

/**
 * Filters out events with a delivery, alone or in a batch, and those that wait for one. Ids of deliveries are derived, so
 * existing ones are found by their primary key.
 */
async function withoutDelivery(
  eventIds: string[],
  webhook: ReplayRange['webhook'],
  transaction?: Transaction,
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const byDelivery = new Map(eventIds.map((id) => [deliveryId({ id }, webhook), id]));
  const rows = await queryRaw<{ id: string }>(
    `SELECT id FROM deliveries WHERE ${inList('id', '$1')}`,
    [inListValue([...byDelivery.keys()])],
    transaction,
  );
  for (const { id } of rows) byDelivery.delete(id);
  const left = [...byDelivery.values()];
  const batched = new Set(webhook.hasBatched ? await eventsInBatches(webhook.id, left, transaction) : []);
  return left.filter((id) => !batched.has(id));
}

function selectable(row: MatchRow) {
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

/** The projects whose events the webhook may receive; null stands for events of the team itself. */
async function projectsOf(
  { projectId, teamId }: ReplayRange['webhook'],
  transaction?: Transaction,
): Promise<(string | null)[]> {
  if (projectId) return [projectId];
  const rows = await queryRaw<{ id: string }>(
    `SELECT id FROM projects WHERE team_id = $1 AND deletion_at IS NULL ORDER BY ${byBytes('id')}`,
    [teamId],
    transaction,
  );
  return [...rows.map(({ id }) => id), null];
}
