import { inList, inListValue } from '../db/dialects.ts';
import { insertInto } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { MinuteCount } from './decideAccountQuota.ts';

/** The links that a team has created in each minute, oldest first. */
export function linksMadeBy(teamId: string, transaction?: Transaction): Promise<MinuteCount[]> {
  return queryRaw<MinuteCount>(
    'SELECT minute, count FROM new_account_links WHERE team_id = $1 ORDER BY minute',
    [teamId],
    transaction,
  );
}

/** The same for several teams, by their ids. */
export async function linksMadeByTeams(teamIds: readonly string[]): Promise<Map<string, MinuteCount[]>> {
  const rows = await queryRaw<MinuteCount & { teamId: string }>(
    `SELECT team_id AS "teamId", minute, count FROM new_account_links WHERE ${inList('team_id', '$1')} ORDER BY minute`,
    [inListValue(teamIds)],
  );
  return Map.groupBy(rows, ({ teamId }) => teamId);
}

const COLUMNS = { team_id: 'text', minute: 'integer', count: 'integer' } as const;

/** Adds to the links of a minute; a negative `count` returns some. */
export async function addLinks(teamId: string, minute: number, count: number, transaction: Transaction): Promise<void> {
  await insertInto('new_account_links', COLUMNS, [[teamId, minute, count]], {
    transaction,
    onConflict: 'ON CONFLICT (team_id, minute) DO UPDATE SET count = new_account_links.count + excluded.count',
  });
}

/** Deletes the counts of a team before this minute. */
export async function forgetLinksBefore(teamId: string, minute: number, transaction: Transaction): Promise<void> {
  await queryRaw('DELETE FROM new_account_links WHERE team_id = $1 AND minute < $2', [teamId, minute], transaction);
}
