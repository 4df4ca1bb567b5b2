import { among, amongValue } from '../db/among.ts';
import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { CLICK_TOKEN_SECONDS } from '../matching/clickToken.ts';

/** The install that a click was used for. */
export interface ClickUser {
  /** Empty: it was deleted. */
  installId: string;
  /** By the click's own token: nothing takes it from there. Else by a guess, or as the sibling of another click. */
  byToken: boolean;
}

/** The installs that clicks were used for; those that nobody used are left out. */
export async function usersOfClicks(
  clickIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, ClickUser>> {
  if (clickIds.length === 0) return new Map();
  const rows = await selectBound<{ click_id: string; install_id: string; by_token: boolean | 0 | 1 }>(
    `SELECT click_id, install_id, by_token FROM used_clicks WHERE ${among('click_id', '$1')}`,
    [amongValue(clickIds)],
    transaction,
  );
  return new Map(
    rows.map(({ click_id, install_id, by_token }) => [click_id, { installId: install_id, byToken: Boolean(by_token) }]),
  );
}

/** A click that is used for an install. `takenFrom`: the install that had it without its token; null: it is free. */
export interface UsedClick extends ClickUser {
  clickId: string;
  projectId: string;
  takenFrom: string | null;
}

const COLUMNS = {
  click_id: 'text',
  project_id: 'text',
  install_id: 'text',
  by_token: 'flag',
  taken_from: 'text',
  created_at: 'time',
} as const;

/** Uses clicks, and gives the ids of those that were as was thought: of several who ask at once, one gets a click. */
export async function useClicks(used: readonly UsedClick[], transaction: Transaction): Promise<Set<string>> {
  const at = sqlTime(clock.now());
  const run = async (uses: readonly UsedClick[], sql: string) => {
    const rows = uses.map(({ clickId, projectId, installId, byToken, takenFrom }) => {
      return [clickId, projectId, installId, byToken, takenFrom, at] as const;
    });
    rows.sort(([one], [other]) => (one < other ? -1 : 1));
    return withJsonRows<{ click_id: string }>(COLUMNS, rows, sql, transaction);
  };
  const free = await run(
    used.filter(({ takenFrom }) => takenFrom === null),
    `INSERT INTO used_clicks (click_id, project_id, install_id, by_token, created_at)
     SELECT click_id, project_id, install_id, by_token, created_at FROM given WHERE true
     ON CONFLICT (click_id) DO NOTHING RETURNING click_id`,
  );
  const taken = await run(
    used.filter(({ takenFrom }) => takenFrom !== null),
    `UPDATE used_clicks SET install_id = given.install_id, by_token = given.by_token FROM given
     WHERE used_clicks.click_id = given.click_id AND used_clicks.by_token = false
       AND used_clicks.install_id = given.taken_from
     RETURNING used_clicks.click_id`,
  );
  return new Set([...free, ...taken].map(({ click_id }) => click_id));
}

/** Deletes some clicks whose tokens are worth nothing any more, and gives whether there may be more. */
export async function purgeUsedClicks(batch: number): Promise<boolean> {
  // Their ids tell when they were. A day more: clocks of several processes differ.
  const before = clock.now() - (CLICK_TOKEN_SECONDS + 86_400) * 1000;
  const values = [firstIdAt('clk', before)];
  const old = { table: 'used_clicks', where: 'click_id < $1', values, oldestBy: 'click_id' };
  return (await deleteSome({ ...old, batch })) === batch;
}
