import { among, amongValue } from '../db/among.ts';
import { dialect } from '../db/database.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { readModels } from '../db/readModels.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { Event } from '../models/Event.ts';

/** Teams whose events are taken at once. */
const MOST_TEAMS = 50;

/** Where the next round begins: with more teams than it takes, all get their turn. */
let lastTeam = '';

/**
 * Events whose deliveries are not made yet, the oldest of each team and of each team equally many, at most `limit` in
 * all; on PostgreSQL those that no other process has in hand, locked until the transaction ends.
 */
export async function outboxEvents(limit: number, transaction: Transaction): Promise<Event[]> {
  let teamIds = await waitingTeams(lastTeam, transaction);
  if (teamIds.length === 0 && lastTeam !== '') teamIds = await waitingTeams('', transaction);
  lastTeam = teamIds.length === MOST_TEAMS ? (teamIds.at(-1) as string) : '';
  const share = Math.ceil(limit / Math.max(1, teamIds.length));
  const rows = await withJsonRows<{ id: string }>(
    { team_id: 'text' },
    teamIds.map((id) => [id]),
    OLDEST[dialect()].replaceAll('$share', String(share)),
    transaction,
  );
  if (rows.length === 0) return [];
  const condition = `${among('id', '$1')} ORDER BY created_at, id`;
  const ids = amongValue(rows.map(({ id }) => id));
  return inTurns(await readModels(Event, condition, [ids], { transaction, select: selectBound }));
}

/** The first of each team, then the second of each, and so on: whoever stops early has been as fair to all. */
function inTurns(events: Event[]): Event[] {
  const counts = new Map<string, number>();
  const ranked = events.map((event) => {
    const rank = counts.get(event.teamId) ?? 0;
    counts.set(event.teamId, rank + 1);
    return { event, rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ event }) => event);
}

/** Their deliveries are made. */
export async function leaveOutbox(ids: string[], transaction: Transaction): Promise<void> {
  await selectBound(
    `UPDATE events SET fanned_out_at = $1 WHERE ${among('id', '$2')}`,
    [sqlTime(clock.now()), amongValue(ids)],
    transaction,
  );
}

const OLDEST = {
  postgres: `SELECT oldest.id FROM given CROSS JOIN LATERAL (
      SELECT id FROM events WHERE team_id = given.team_id AND fanned_out_at IS NULL
      ORDER BY created_at, id LIMIT $share FOR UPDATE SKIP LOCKED) AS oldest`,
  sqlite: `SELECT found.id FROM given CROSS JOIN events AS found WHERE found.id IN (
      SELECT id FROM events AS oldest WHERE oldest.team_id = given.team_id AND oldest.fanned_out_at IS NULL
      ORDER BY oldest.created_at, oldest.id LIMIT $share)`,
};

/** Each step of the recursion finds the next team in the index, however many events the one before has. */
async function waitingTeams(after: string, transaction: Transaction): Promise<string[]> {
  const next = (from: string) =>
    `(SELECT team_id FROM events WHERE fanned_out_at IS NULL AND team_id > ${from} ORDER BY team_id LIMIT 1)`;
  const rows = await selectBound<{ team_id: string | null }>(
    `WITH RECURSIVE waiting (team_id) AS (
       SELECT ${next('$1')} UNION ALL SELECT ${next('waiting.team_id')} FROM waiting WHERE waiting.team_id IS NOT NULL
     ) SELECT team_id FROM waiting WHERE team_id IS NOT NULL LIMIT ${MOST_TEAMS}`,
    [after],
    transaction,
  );
  return rows.flatMap(({ team_id }) => team_id ?? []);
}
