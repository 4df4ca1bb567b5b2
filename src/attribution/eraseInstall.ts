import { deleteClickDevices } from '../clicks/clickDeviceStore.ts';
import { inList, inListValue, rowLock } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockNames } from '../db/transactions.ts';
import { idOfUuid, sameUuid } from '../kernel/ids.ts';
import type { Install } from '../models/Install.ts';
import { deleteDeliveries, deliveryId, eraseFromBatches } from '../webhooks/deliveryStore.ts';
import { installKey } from './Opening.ts';

/** Rows to delete in one transaction, each with its event and deliveries. */
const BATCH = 200;

/**
 * Deletes an install with its openings, app events, match report, and the events and deliveries about it. The clicks that it
 * used stay used, without its name. The install's own row goes last, so that an interrupted deletion can be repeated.
 * `onDeleted` runs in the transaction that deletes this row; of several simultaneous deletions, one runs it.
 */
export async function eraseInstall(
  install: Pick<Install, 'id' | 'projectId' | 'installId'>,
  onDeleted: (transaction: Transaction) => Promise<void>,
): Promise<void> {
  for (const table of ['app_events', 'opens']) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      deleted = await inTransaction((transaction) => deleteSome(table, install, transaction));
    }
  }
  const { id, projectId, installId } = install;
  await inTransaction(async (transaction) => {
    // The lock keeps reports of the app out: what it reports afterwards belongs to a new install.
    await lockNames([installKey(install)], transaction);
    while (
      (await deleteSome('app_events', install, transaction)) + (await deleteSome('opens', install, transaction)) >
      0
    );
    await deleteEvents(projectId, [sameUuid('evt', id)], transaction);
    const run = (sql: string) => queryRaw(sql, [projectId, installId], transaction);
    await deleteClickDevices(install, transaction);
    await run("UPDATE used_clicks SET install_id = '' WHERE project_id = $1 AND install_id = $2");
    await run('DELETE FROM seen_installs WHERE project_id = $1 AND install_id = $2');
    await run('DELETE FROM match_reports WHERE project_id = $1 AND install_id = $2');
    const gone = await run('DELETE FROM installs WHERE project_id = $1 AND install_id = $2 RETURNING id');
    if (gone.length > 0) await onDeleted(transaction);
  });
}

async function deleteSome(
  table: string,
  { projectId, installId }: Pick<Install, 'projectId' | 'installId'>,
  transaction: Transaction,
): Promise<number> {
  const rows = await queryRaw<{ id: string }>(
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
  // First: who makes deliveries of an event has locked it, so that all of them exist once it is deleted.
  await queryRaw(`DELETE FROM events WHERE ${inList('id', '$1')}`, [inListValue(eventIds)], transaction);
  // As the webhook workers do, which lock deliveries in another order.
  const webhooks = await queryRaw<{ id: string }>(
    `SELECT id FROM webhooks WHERE team_id = (SELECT team_id FROM projects WHERE id = $1)
     ORDER BY id ${rowLock('FOR NO KEY UPDATE')}`,
    [projectId],
    transaction,
  );
  await deleteDeliveries(
    eventIds.flatMap((id) => webhooks.map((webhook) => deliveryId({ id }, webhook))),
    transaction,
  );
  await eraseFromBatches(eventIds, transaction);
}
