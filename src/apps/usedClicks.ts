import { among, amongValue } from '../db/among.ts';
import { deleteSome } from '../db/deleteSome.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { CLICK_TOKEN_SECONDS } from '../matching/clickToken.ts';

/** The installs that clicks were used for; those that nobody used are left out. */
export async function usersOfClicks(
  clickIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, string>> {
  if (clickIds.length === 0) return new Map();
  const rows = await selectBound<{ click_id: string; install_id: string }>(
    `SELECT click_id, install_id FROM used_clicks WHERE ${among('click_id', '$1')}`,
    [amongValue(clickIds)],
    transaction,
  );
  return new Map(rows.map(({ click_id, install_id }) => [click_id, install_id]));
}

/** A click that is used for an install. */
export interface UsedClick {
  clickId: string;
  projectId: string;
  installId: string;
}

/** Uses clicks, and gives the ids of those that nobody had used: of several who ask at once, one gets a click. */
export async function useClicks(used: readonly UsedClick[], transaction: Transaction): Promise<Set<string>> {
  const at = sqlTime(clock.now());
  const rows = await withJsonRows<{ click_id: string }>(
    { click_id: 'text', project_id: 'text', install_id: 'text', created_at: 'time' },
    used
      .map(({ clickId, projectId, installId }) => [clickId, projectId, installId, at])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    `INSERT INTO used_clicks (click_id, project_id, install_id, created_at)
     SELECT click_id, project_id, install_id, created_at FROM given WHERE true
     ON CONFLICT (click_id) DO NOTHING RETURNING click_id`,
    transaction,
  );
  return new Set(rows.map(({ click_id }) => click_id));
}

/** Deletes some clicks whose tokens are worth nothing any more, and gives whether there may be more. */
export async function purgeUsedClicks(batch: number): Promise<boolean> {
  // Their ids tell when they were. A day more: clocks of several processes differ.
  const before = clock.now() - (CLICK_TOKEN_SECONDS + 86_400) * 1000;
  const values = [firstIdAt('clk', before)];
  const old = { table: 'used_clicks', where: 'click_id < $1', values, oldestBy: 'click_id' };
  return (await deleteSome({ ...old, batch })) === batch;
}
