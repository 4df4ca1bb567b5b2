import { ofLiveProject, ofLiveTeam } from '../access/notDeleted.ts';
import { dialect } from '../db/connection/database.ts';
import { inList, inListValue, rowLock } from '../db/dialects.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { Event } from '../models/Event.ts';
import type { StoredEnvelope } from './envelope.ts';

/** Teams whose events one call returns. */
const MAX_TEAMS = 50;

/** The last team of the previous call. With more than MAX_TEAMS teams the next call continues behind it. */
let lastTeam = '';
/** Whether a team had more events than its share since the first call for the first teams. */
let isTeamLeft = false;

/** Events of a deleted project or team wait in the outbox until it is restored. */
const LIVE = `${ofLiveProject('events.project_id')} AND ${ofLiveTeam('events.team_id')}`;

/** Whether there are events whose deliveries are not made yet. */
export async function hasOutboxEvents(): Promise<boolean> {
  const sql = `SELECT 1 AS one FROM events WHERE fanned_out_at IS NULL AND ${LIVE} LIMIT 1`;
  return (await queryRaw(sql, [])).length > 0;
}

interface OutboxEvents {
  events: Event[];
  /** Whether there may be more that nobody announces: of other teams, or more of some team than its share. */
  hasMore: boolean;
}

/**
 * Returns up to `limit` events that have not been fanned out, the oldest of each team and in equal shares. On PostgreSQL
 * they are locked until the transaction ends; events that another process has locked are skipped.
 */
export async function lockOutboxEvents(limit: number, transaction: Transaction): Promise<OutboxEvents> {
  let teamIds = await waitingTeams(lastTeam, transaction);
  if (teamIds.length === 0 && lastTeam !== '') {
    lastTeam = '';
    teamIds = await waitingTeams('', transaction);
  }
  if (lastTeam === '') isTeamLeft = false;
  lastTeam = teamIds.length === MAX_TEAMS ? (teamIds.at(-1) as string) : '';
  const share = Math.ceil(limit / Math.max(1, teamIds.length));
  const rows = await withJsonRows<{ id: string; team_id: string }>(
    { team_id: 'text' },
    teamIds.map((id) => [id]),
    OLDEST[dialect()].replaceAll('$share', String(share)),
    transaction,
  );
  const counts = Map.groupBy(rows, ({ team_id }) => team_id);
  isTeamLeft ||= [...counts.values()].some(({ length }) => length >= share);
  const hasMore = isTeamLeft || lastTeam !== '';
  if (rows.length === 0) return { events: [], hasMore };
  const condition = `${inList('id', '$1')} ORDER BY created_at, id`;
  const ids = inListValue(rows.map(({ id }) => id));
  return { events: roundRobin(await readRows(Event, condition, [ids], { transaction, select: queryRaw })), hasMore };
}

/** Orders the first event of each team before the second of each, so that a caller who stops early stays fair. */
function roundRobin(events: Event[]): Event[] {
  const counts = new Map<string, number>();
  const ranked = events.map((event) => {
    const rank = counts.get(event.teamId) ?? 0;
    counts.set(event.teamId, rank + 1);
    return { event, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ event }) => event);
}

/** Records that the deliveries of these events exist. */
export async function markFannedOut(ids: string[], transaction: Transaction): Promise<void> {
  await queryRaw(
    `UPDATE events SET fanned_out_at = $1 WHERE ${inList('id', '$2')}`,
    [sqlTime(clock.now()), inListValue(ids)],
    transaction,
  );
}

const OLDEST = {
  postgres: `SELECT oldest.id, oldest.team_id FROM given CROSS JOIN LATERAL (
      SELECT id, team_id FROM events WHERE team_id = given.team_id AND fanned_out_at IS NULL AND ${LIVE}
      ORDER BY created_at, id LIMIT $share FOR UPDATE SKIP LOCKED) AS oldest`,
  sqlite: `SELECT found.id, found.team_id FROM given CROSS JOIN events AS found WHERE found.id IN (
      SELECT id FROM events WHERE team_id = given.team_id AND fanned_out_at IS NULL AND ${LIVE}
      ORDER BY created_at, id LIMIT $share)`,
};

/** Teams with events in the outbox. Each step of the recursion jumps to the next team in the index, past all its events. */
async function waitingTeams(after: string, transaction: Transaction): Promise<string[]> {
  const next = (from: string) =>
    `(SELECT team_id FROM events WHERE fanned_out_at IS NULL AND team_id > ${from} ORDER BY team_id LIMIT 1)`;
  const rows = await queryRaw<{ team_id: string | null }>(
    `WITH RECURSIVE waiting (team_id) AS (
       SELECT ${next('$1')} UNION ALL SELECT ${next('waiting.team_id')} FROM waiting WHERE waiting.team_id IS NOT NULL
     ) SELECT team_id FROM waiting WHERE team_id IS NOT NULL LIMIT ${MAX_TEAMS}`,
    [after],
    transaction,
  );
  return rows.flatMap(({ team_id }) => team_id ?? []);
}

/** The parts of the envelopes of these events that exist, by their ids. */
export async function readEnvelopes(
  ids: readonly string[],
  transaction?: Transaction,
): Promise<Map<string, StoredEnvelope>> {
  if (ids.length === 0) return new Map();
  const rows = await queryRaw<EnvelopeRow>(
    `SELECT id, type, created_at, team_id, project_id, webhook_id, CAST(data AS TEXT) AS data FROM events
     WHERE ${inList('id', '$1')}`,
    [inListValue(ids)],
    transaction,
  );
  return new Map(
    rows.map(({ id, type, data, ...row }) => [
      id,
      {
        ...{ id, type, data, createdAt: new Date(row.created_at), teamId: row.team_id },
        ...{ projectId: row.project_id, webhookId: row.webhook_id },
      },
    ]),
  );
}

interface EnvelopeRow {
  id: string;
  type: string;
  created_at: string | Date;
  team_id: string;
  project_id: string | null;
  webhook_id: string | null;
  data: string;
}

/** Deliveries render their bodies from events. */
const IS_NEEDED = `(EXISTS (SELECT 1 FROM deliveries WHERE deliveries.event_id = events.id)
  OR EXISTS (SELECT 1 FROM batched_events WHERE batched_events.event_id = events.id))`;

/**
 * Deletes those of the next `batch` fanned-out events after this id that are past the retention of events and of deliveries,
 * and in no delivery. Returns the last id; null when there are no more. Ids begin with their time, so the primary key finds
 * the oldest. They are locked before anybody looks for their deliveries, since a replay may be making one: it locks them too.
 */
export async function purgeEvents(after: string, batch: number): Promise<string | null> {
  const days = Math.max(config.eventRetentionDays, config.deliveryRetentionDays);
  const before = clock.now() - days * DAY_MS;
  return inTransaction(async (transaction) => {
    const found = await queryRaw<{ id: string }>(
      `SELECT id FROM events WHERE id > $1 AND id < $2 AND created_at < $3 AND fanned_out_at IS NOT NULL
       ORDER BY id LIMIT $4 ${rowLock('FOR UPDATE SKIP LOCKED')}`,
      [after, firstIdAt('evt', before), sqlTime(before), batch],
      transaction,
    );
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return null;
    const where = `${inList('id', '$1')} AND NOT ${IS_NEEDED}`;
    await queryRaw(`DELETE FROM events WHERE ${where}`, [inListValue(ids)], transaction);
    return ids.length < batch ? null : (ids.at(-1) as string);
  });
}
