import { inList, inListValue } from '../db/dialects.ts';
import { insertInto, sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { MinuteCount } from './decideAccountQuota.ts';

/** The links that one team has created in a minute. */
interface TeamMinute extends MinuteCount {
  /** The team that created them. */
  madeBy: string;
}

/**
 * What counts against the limits of these teams, by their ids, oldest first: the links of the team, and of every other team
 * that was created after `youngSinceMs` and has an owner in common with it.
 */
export async function linksCountedFor(
  teamIds: readonly string[],
  youngSinceMs: number,
  transaction?: Transaction,
): Promise<Map<string, TeamMinute[]>> {
  const rows = await queryRaw<TeamMinute & { teamId: string }>(
    `SELECT counted.team_id AS "teamId", made.team_id AS "madeBy", made.minute, made.count
     FROM (
       SELECT id AS team_id, id AS with_id FROM teams WHERE ${inList('id', '$1')}
       UNION
       SELECT one.team_id, other.team_id FROM memberships one
       JOIN memberships other ON other.user_id = one.user_id AND other.role = 'owner'
       JOIN teams ON teams.id = other.team_id AND teams.created_at > $2 AND NOT teams.has_no_limits
       WHERE ${inList('one.team_id', '$1')} AND one.role = 'owner'
     ) counted
     JOIN new_account_links made ON made.team_id = counted.with_id
     ORDER BY made.minute`,
    [inListValue(teamIds), sqlTime(youngSinceMs)],
    transaction,
  );
  return Map.groupBy(rows, ({ teamId }) => teamId);
}

/** The ids of everyone who owns one of the teams. */
export async function ownersOf(teamIds: readonly string[], transaction: Transaction): Promise<string[]> {
  const rows = await queryRaw<{ id: string }>(
    `SELECT DISTINCT user_id AS id FROM memberships WHERE ${inList('team_id', '$1')} AND role = 'owner'`,
    [inListValue(teamIds)],
    transaction,
  );
  return rows.map(({ id }) => id);
}

const COLUMNS = { team_id: 'text', minute: 'integer', count: 'integer' } as const;

/** Adds to the links of a minute; a negative `count` returns some. */
export async function addLinks(teamId: string, minute: number, count: number, transaction: Transaction): Promise<void> {
  await insertInto('new_account_links', COLUMNS, [[teamId, minute, count]], {
    transaction,
    onConflict: 'ON CONFLICT (team_id, minute) DO UPDATE SET count = new_account_links.count + excluded.count',
  });
}

/** Deletes the counts of these teams before this minute. */
export async function forgetLinksBefore(
  teamIds: readonly string[],
  minute: number,
  transaction: Transaction,
): Promise<void> {
  const sql = `DELETE FROM new_account_links WHERE ${inList('team_id', '$1')} AND minute < $2`;
  await queryRaw(sql, [inListValue(teamIds), minute], transaction);
}
