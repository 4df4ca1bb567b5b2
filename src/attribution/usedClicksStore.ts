import { deleteOldest } from '../db/deleteOldest.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { insertInto, sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { CLICK_TOKEN_SECONDS } from './clickTokens.ts';

/** The install that a click was used for. */
export interface ClickUser {
  /** Empty if the install was deleted. */
  installId: string;
  /** The click's own token was presented, so the use is final. Otherwise it was a guess, or a sibling of a used click. */
  byToken: boolean;
}

/** The installs that used these clicks, by click id. Unused clicks are missing. */
export async function readClickUsers(
  clickIds: readonly string[],
  transaction: Transaction,
): Promise<Map<string, ClickUser>> {
  if (clickIds.length === 0) return new Map();
  const rows = await queryRaw<{ click_id: string; install_id: string; by_token: boolean | 0 | 1 }>(
    `SELECT click_id, install_id, by_token FROM used_clicks WHERE ${inList('click_id', '$1')}`,
    [inListValue(clickIds)],
    transaction,
  );
  return new Map(
    rows.map(({ click_id, install_id, by_token }) => [click_id, { installId: install_id, byToken: Boolean(by_token) }]),
  );
}

/** A click to be used for an install. `takenFrom` is the install that guessed it before; null if the click is free. */
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
  created_at: 'time',
} as const;
const COLUMNS_TAKEN = { click_id: 'text', install_id: 'text', by_token: 'flag', taken_from: 'text' } as const;

/** Marks clicks as used. Returns the ids of those that were still free, or still belonged to `takenFrom`. */
export async function useClicks(used: readonly UsedClick[], transaction: Transaction): Promise<Set<string>> {
  const at = sqlTime(clock.now());
  // In the same order in every process.
  const inOrder = used.toSorted((one, other) => (one.clickId < other.clickId ? -1 : 1));
  const free = await insertInto<{ click_id: string }>(
    'used_clicks',
    COLUMNS,
    inOrder
      .filter(({ takenFrom }) => takenFrom === null)
      .map(({ clickId, projectId, installId, byToken }) => [clickId, projectId, installId, byToken, at]),
    { transaction, onConflict: 'ON CONFLICT (click_id) DO NOTHING', returning: 'click_id' },
  );
  const taken = await withJsonRows<{ click_id: string }>(
    COLUMNS_TAKEN,
    inOrder
      .filter(({ takenFrom }) => takenFrom !== null)
      .map(({ clickId, installId, byToken, takenFrom }) => [clickId, installId, byToken, takenFrom]),
    `UPDATE used_clicks SET install_id = given.install_id, by_token = given.by_token FROM given
     WHERE used_clicks.click_id = given.click_id AND used_clicks.by_token = false
       AND used_clicks.install_id = given.taken_from
     RETURNING used_clicks.click_id`,
    transaction,
  );
  return new Set([...free, ...taken].map(({ click_id }) => click_id));
}

/** Deletes up to `batch` rows of clicks whose tokens have expired. Returns whether there may be more. */
export async function purgeUsedClicks(batch: number): Promise<boolean> {
  // Click ids contain their time. One more day, because the clocks of processes differ.
  const before = clock.now() - (CLICK_TOKEN_SECONDS + 86_400) * 1000;
  const values = [firstIdAt('clk', before)];
  const old = { table: 'used_clicks', where: 'click_id < $1', values, oldestBy: 'click_id' };
  return (await deleteOldest({ ...old, batch })) === batch;
}
