import { among, amongValue } from '../db/among.ts';
import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { lockNames } from '../db/lockNames.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { idOfUuid, sameUuid } from '../kernel/ids.ts';
import type { Install } from '../models/Install.ts';
import { deliveryId } from '../webhooks/planDeliveries.ts';
import { installKey } from './Opening.ts';

/** Rows deleted in one transaction, each with its event and deliveries. */
const BATCH = 200;

/**
 * Deletes an install with its openings, events, match and all that webhooks were or would be told of it. The click that
 * led to it stays used: without a word of by whom. The install itself goes last, so that a crash leaves it to be asked for
 * again; `atLast` runs in the transaction that takes it, of several who do this at once for one of them.
 */
export async function forgetInstall(
  install: Pick<Install, 'id' | 'projectId' | 'installId'>,
  atLast: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  for (const table of ['app_events', 'opens']) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      deleted = await inTransaction((transaction) => deleteSome(table, install, transaction));
    }
  }
  const { id, projectId, installId } = install;
  await inTransaction(async (transaction) => {
    // Nothing may come in between: what an app tells from now on is of a new install.
    await lockNames([installKey(install)], transaction);
    while (
      (await deleteSome('app_events', install, transaction)) + (await deleteSome('opens', install, transaction)) >
      0
    );
    await deleteEvents(projectId, [sameUuid('evt', id)], transaction);
    const run = (sql: string) => selectBound(sql, [projectId, installId], transaction);
    await run(`DELETE FROM click_devices WHERE click_id IN
      (SELECT click_id FROM used_clicks WHERE project_id = $1 AND install_id = $2)`);
    await run("UPDATE used_clicks SET install_id = '' WHERE project_id = $1 AND install_id = $2");
    await run('DELETE FROM seen_installs WHERE project_id = $1 AND install_id = $2');
    await run('DELETE FROM match_reports WHERE project_id = $1 AND install_id = $2');
    const gone = await run('DELETE FROM installs WHERE project_id = $1 AND install_id = $2 RETURNING id');
    if (gone.length > 0) await atLast(transaction);
  });
}

async function deleteSome(
  table: string,
  { projectId, installId }: Pick<Install, 'projectId' | 'installId'>,
  transaction: Transaction,
): Promise<number> {
  const rows = await selectBound<{ id: string }>(
    `DELETE FROM ${table} WHERE id IN
       (SELECT id FROM ${table} WHERE project_id = $1 AND install_id = $2 LIMIT ${BATCH}) RETURNING id`,
    [projectId, installId],
    transaction,
  );
  const eventIds = rows.map(({ id }) => idOfUuid('evt', id));
  await deleteEvents(projectId, eventIds, transaction);
  return rows.length;
}

async function deleteEvents(projectId: string, eventIds: string[], transaction: Transaction): Promise<void> {
  if (eventIds.length === 0) return;
  const remove = (table: string, ids: string[]) =>
    selectBound(`DELETE FROM ${table} WHERE ${among('id', '$1')}`, [amongValue(ids)], transaction);
  // First: whoever makes deliveries of an event has it locked, and they are there when the lock is had.
  await remove('events', eventIds);
  // As a turn of their lanes, which takes deliveries in another order.
  const lock = dialect() === 'postgres' ? ' ORDER BY id FOR NO KEY UPDATE' : '';
  const webhooks = await selectBound<{ id: string }>(
    `SELECT id FROM webhooks WHERE team_id = (SELECT team_id FROM projects WHERE id = $1)${lock}`,
    [projectId],
    transaction,
  );
  const deliveryIds = eventIds.flatMap((id) => webhooks.map((webhook) => deliveryId({ id }, webhook)));
  if (deliveryIds.length > 0) await remove('deliveries', deliveryIds);
}
