import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound, selectPrepared } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { CLICK_TOKEN_SECONDS } from '../matching/clickToken.ts';

/** The install that a click was used for; null: none yet. */
export async function userOfClick(clickId: string, transaction: Transaction): Promise<string | null> {
  const [row] = await selectPrepared<{ install_id: string }>(
    'SELECT install_id FROM used_clicks WHERE click_id = $1',
    [clickId],
    transaction,
  );
  return row?.install_id ?? null;
}

/** Uses clicks for an install, and gives those that nobody had used: of several who ask at once, one gets a click. */
export async function useClicks(
  { projectId, installId, atMs }: { projectId: string; installId: string; atMs: number },
  clickIds: readonly string[],
  transaction: Transaction,
): Promise<Set<string>> {
  const rows = await withJsonRows<{ click_id: string }>(
    { click_id: 'text', project_id: 'text', install_id: 'text', created_at: 'time' },
    [...clickIds].sort().map((id) => [id, projectId, installId, sqlTime(atMs)]),
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
  const rows = await inTransaction((transaction) =>
    selectBound(
      `DELETE FROM used_clicks WHERE click_id IN
         (SELECT click_id FROM used_clicks WHERE click_id < $1 ORDER BY click_id LIMIT ${batch}) RETURNING click_id`,
      [firstIdAt('clk', before)],
      transaction,
    ),
  );
  return rows.length === batch;
}
