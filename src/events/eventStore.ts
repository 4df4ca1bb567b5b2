import { ofLiveProject, ofLiveTeam } from '../access/notDeleted.ts';
import { type Dialect, dialect } from '../db/connection/database.ts';
import { inList, inListValue, limitInOrder, rowLock } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { ofStore } from '../db/ofStore.ts';
import { dropPartitions, hasRowsSince, type OldPartition } from '../db/partitions/dropPartitions.ts';
import { deletedOneByOneUntil } from '../db/partitions/readPartitions.ts';
import { eventDays } from '../db/partitions/tables.ts';
import { queryRaw } from '../db/query.ts';
import { columnsOf, modelsOf } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { Event } from '../models/Event.ts';
import type { StoredEnvelope } from './envelope.ts';

/** Teams whose events one call returns. */
const MAX_TEAMS = 50;

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

/** Reads the outbox of a store, a few teams after the other. */
class OutboxReader {
  /** The last team of the previous call. With more than MAX_TEAMS teams the next call continues behind it. */
  #lastTeam = '';
  /** Whether a team had more events than its share since the first call for the first teams. */
  #isTeamLeft = false;

  async lock(limit: number, transaction: Transaction): Promise<OutboxEvents> {
    let rows = await oldestOfTeams(limit, this.#lastTeam, transaction);
    if (rows.length === 0 && this.#lastTeam !== '') {
      this.#lastTeam = '';
      rows = await oldestOfTeams(limit, '', transaction);
    }
    if (this.#lastTeam === '') this.#isTeamLeft = false;
    const teamIds = [...new Set(rows.map(({ waiting_team }) => waiting_team))].sort();
    this.#lastTeam = teamIds.length === MAX_TEAMS ? (teamIds.at(-1) as string) : '';
    const events = await modelsOf(
      Event,
      rows.filter(({ id }) => id !== null),
    );
    const share = Math.ceil(limit / Math.max(1, teamIds.length));
    const teams = [...Map.groupBy(events, ({ teamId }) => teamId).values()];
    this.#isTeamLeft ||= teams.some(({ length }) => length >= share);
    return { events: roundRobin(events.sort(byTime)), hasMore: this.#isTeamLeft || this.#lastTeam !== '' };
  }
}

const reader = ofStore(() => new OutboxReader());

/**
 * Returns up to `limit` events that have not been fanned out, the oldest of each team and in equal shares. On PostgreSQL
 * they are locked until the transaction ends; events that another process has locked are skipped.
 */
export function lockOutboxEvents(limit: number, transaction: Transaction): Promise<OutboxEvents> {
  return reader().lock(limit, transaction);
}

function byTime(one: Event, other: Event): number {
  return one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);
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

/** A row of the outbox; null for a team whose events nobody may take now. */
type OldestRow = { waiting_team: string; id: string | null } & Record<string, unknown>;

/**
 * Rows of the oldest events of the teams after this one, at least one for each. Each step of the recursion jumps to the next
 * team in the index, past all its events.
 */
function oldestOfTeams(limit: number, after: string, transaction: Transaction): Promise<OldestRow[]> {
  const next = (from: string) =>
    `(SELECT team_id FROM events WHERE fanned_out_at IS NULL AND team_id > ${from} ORDER BY team_id ${limitInOrder(1)})`;
  const waiting = `WITH RECURSIVE waiting (team_id) AS (
       SELECT ${next('$1')} UNION ALL SELECT ${next('waiting.team_id')} FROM waiting WHERE waiting.team_id IS NOT NULL
     ), served (waiting_team) AS (SELECT team_id FROM waiting WHERE team_id IS NOT NULL LIMIT ${MAX_TEAMS})`;
  // Rounded up.
  const share = `(SELECT (${limit} + COUNT(*) - 1) / NULLIF(COUNT(*), 0) FROM served)`;
  return queryRaw(`${waiting} ${OLDEST[dialect()](share)}`, [after], transaction);
}

/** By how many events of a team are taken. */
const OLDEST: Record<Dialect, (share: string) => string> = {
  postgres: (share) => `SELECT served.waiting_team, oldest.* FROM served LEFT JOIN LATERAL (
      SELECT ${columnsOf(Event)} FROM events WHERE team_id = served.waiting_team AND fanned_out_at IS NULL AND ${LIVE}
      ORDER BY created_at, id LIMIT ${share} FOR UPDATE SKIP LOCKED) AS oldest ON true`,
  sqlite: (share) => `SELECT served.waiting_team, found.* FROM served LEFT JOIN events AS found ON found.id IN (
      SELECT id FROM events WHERE team_id = served.waiting_team AND fanned_out_at IS NULL AND ${LIVE}
      ORDER BY created_at, id LIMIT ${share})`,
};

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

/** Drops the partitions in which `purgeEvents` would delete each event. */
export function dropEvents(): Promise<void> {
  const before = clock.now() - eventDays() * DAY_MS;
  return dropPartitions('events', before, { isNeeded, hasYoung: ({ name }) => hasRowsSince(name, before) });
}

/** Ids of deliveries begin with the time of their event, and those of batches are later. */
async function isNeeded({ name, from, to }: OldPartition, transaction: Transaction): Promise<boolean> {
  const [deliveries, events] = (['dlv', 'evt'] as const).map((prefix) => [
    firstIdAt(prefix, from ?? 0),
    firstIdAt(prefix, to),
  ]);
  const [row] = await queryRaw<{ needed: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM ${name} WHERE fanned_out_at IS NULL)
       OR EXISTS (SELECT 1 FROM deliveries WHERE id >= $1 AND id < $2)
       OR EXISTS (SELECT 1 FROM batched_events WHERE event_id >= $3 AND event_id < $4) AS needed`,
    [...(deliveries as string[]), ...(events as string[])],
    transaction,
  );
  return row?.needed ?? false;
}

/**
 * Deletes those of the next `batch` fanned-out events after this id that are past the retention of events and of deliveries,
 * and in no delivery. Returns the last id; null when there are no more. Ids begin with their time, so the primary key finds
 * the oldest. They are locked before anybody looks for their deliveries, since a replay may be making one: it locks them too.
 */
export async function purgeEvents(after: string, batch: number): Promise<string | null> {
  const before = clock.now() - eventDays() * DAY_MS;
  const end = firstIdAt('evt', await deletedOneByOneUntil('events', before));
  return inTransaction(async (transaction) => {
    const found = await queryRaw<{ id: string }>(
      `SELECT id FROM events WHERE id > $1 AND id < $2 AND created_at < $3 AND fanned_out_at IS NOT NULL
       ORDER BY id ${limitInOrder('$4')} ${rowLock('FOR UPDATE SKIP LOCKED')}`,
      [after, end, sqlTime(before), batch],
      transaction,
    );
    const ids = found.map(({ id }) => id);
    if (ids.length === 0) return null;
    const where = `${inList('id', '$1')} AND NOT ${IS_NEEDED}`;
    await queryRaw(`DELETE FROM events WHERE ${where}`, [inListValue(ids)], transaction);
    return ids.length < batch ? null : (ids.at(-1) as string);
  });
}
