import { dialect } from '../db/connection/database.ts';
import { deleteOldest } from '../db/deleteOldest.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { dropPartitions, hasRowsSince, type OldPartition } from '../db/partitions/dropPartitions.ts';
import { deletedOneByOneUntil } from '../db/partitions/readPartitions.ts';
import { queryRaw } from '../db/query.ts';
import { insertRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { BATCH_TYPE } from '../events/catalogue.ts';
import { clock, DAY_MS, now } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { deriveId, firstIdAt, newId } from '../kernel/ids.ts';
import { Delivery } from '../models/Delivery.ts';
import type { Event } from '../models/Event.ts';
import { QUEUE, type Queue } from '../models/queue.ts';
import type { Webhook } from '../models/Webhook.ts';
import { purgeWaiting, takeOutOfBatches } from './batchStore.ts';

/** An event and a webhook that receives it. */
export interface PlannedDelivery {
  event: Event;
  webhook: Pick<Webhook, 'id' | 'projectId'>;
}

/** Deliveries that one statement cancels or releases. */
const BATCH = 500;

/**
 * Inserts deliveries that are due now. The id of a delivery is derived from its event and webhook, so that one that exists
 * already is left as it is.
 */
export async function planDeliveries(
  pairs: PlannedDelivery[],
  transaction: Transaction,
  queue: Queue = QUEUE.automatic,
): Promise<void> {
  const dueAt = now();
  const rows = pairs.map(({ event, webhook }) => {
    const isTest = event.webhookId !== null;
    return {
      id: deliveryId(event, webhook),
      webhookId: webhook.id,
      projectId: webhook.projectId ?? event.projectId,
      eventId: event.id,
      eventType: event.type,
      eventAt: event.createdAt,
      isTest,
      status: 'pending',
      nextAttemptAt: dueAt,
      queue: isTest ? QUEUE.byHand : queue,
      dueAt,
      requestBody: noBody(),
    };
  });
  await insertRows(Delivery, rows, { transaction, onConflict: 'ON CONFLICT DO NOTHING' });
}

/** Inserts the delivery of a batch, which is due now. Returns its id. The caller puts events into it. */
export async function planBatch(
  { id: webhookId }: Pick<Webhook, 'id'>,
  batch: { projectId: string | null; queue: Queue; eventAt: Date; eventCount: number },
  transaction: Transaction,
): Promise<string> {
  const id = newId('dlv');
  const dueAt = now();
  const times = { nextAttemptAt: dueAt, dueAt, requestBody: noBody() };
  const row = { ...batch, ...times, id, webhookId, eventId: id, eventType: BATCH_TYPE };
  await insertRows(Delivery, [row], { transaction });
  return id;
}

/** What stands for the body of a delivery, which follows from its events: see the migration 0027. */
function noBody(): string | null {
  return dialect() === 'sqlite' ? '' : null;
}

/** The id of the delivery of an event to a webhook, whether it exists or not. */
export function deliveryId(event: { id: string }, webhook: { id: string }): string {
  return deriveId('dlv', event.id, webhook.id);
}

/** Whether the webhook was disabled more than WEBHOOK_HELD_SECONDS ago. */
export function isHeldForTooLong({ disabledAt }: Pick<Webhook, 'disabledAt'>): boolean {
  return disabledAt !== null && disabledAt.getTime() <= heldSince();
}

/** Cancels a batch of the deliveries that have waited too long for disabled webhooks. Returns whether there may be more. */
export async function cancelHeldForTooLong(): Promise<boolean> {
  const webhookIds = await webhooksHeldForTooLong();
  if (webhookIds.length === 0) return false;
  return (await inTransaction((transaction) => cancelHeld(webhookIds, transaction))) === BATCH;
}

/** Ids of the webhooks that were disabled more than WEBHOOK_HELD_SECONDS ago. */
export async function webhooksHeldForTooLong(): Promise<string[]> {
  const rows = await queryRaw<{ id: string }>(
    'SELECT id FROM webhooks WHERE disabled_at IS NOT NULL AND disabled_at <= $1 AND deleted_at IS NULL',
    [sqlTime(heldSince())],
  );
  return rows.map(({ id }) => id);
}

/**
 * Cancels a batch of the deliveries that wait for these webhooks, including replayed ones. Returns their number; 0 when none
 * are left. Claimed deliveries and manual resends are left alone.
 */
export async function cancelHeld(webhookIds: string[], transaction: Transaction): Promise<number> {
  const now = sqlTime(clock.now());
  const rows = await queryRaw(
    `UPDATE deliveries SET status = CASE status WHEN 'pending' THEN 'cancelled' ELSE status END,
       next_attempt_at = NULL, due_at = NULL, claim = NULL, resends = 0, updated_at = $1
     WHERE id IN (SELECT id FROM deliveries WHERE ${inList('webhook_id', '$2')}
       AND queue IN (${QUEUE.automatic}, ${QUEUE.replay}) AND due_at IS NOT NULL
       AND (claim IS NULL OR due_at <= $1) LIMIT ${BATCH})
     RETURNING id`,
    [now, inListValue(webhookIds)],
    transaction,
  );
  return rows.length;
}

/** Webhooks that were disabled before this time have waited too long; milliseconds. */
function heldSince(): number {
  return clock.now() - config.webhookHeldSeconds * 1000;
}

/**
 * Makes a batch of the deliveries that wait for this webhook due now. Returns whether there may be more. Claimed deliveries
 * and manual resends are left alone: they do not wait for the webhook.
 */
export async function releaseHeld(webhookId: string, transaction: Transaction): Promise<boolean> {
  // In both conditions, since PostgreSQL re-evaluates only the outer one for a row that was changed concurrently.
  const isWaiting = 'due_at > $1 AND claim IS NULL';
  const rows = await queryRaw(
    `UPDATE deliveries SET due_at = $1, updated_at = $1,
       next_attempt_at = CASE WHEN next_attempt_at IS NULL THEN NULL ELSE $1 END
     WHERE ${isWaiting} AND id IN (SELECT id FROM deliveries WHERE webhook_id = $2
       AND queue IN (${QUEUE.automatic}, ${QUEUE.replay}) AND ${isWaiting} LIMIT ${BATCH})
     RETURNING id`,
    [sqlTime(clock.now()), webhookId],
    transaction,
  );
  return rows.length === BATCH;
}

/**
 * Makes a batch of the deliveries to team-wide webhooks that were put off while their project was deleted due as planned.
 * Returns the webhooks; none when nothing is left.
 */
export async function releasePutOff(
  { id, teamId, deletionAt }: { id: string; teamId: string; deletionAt: Date },
  transaction: Transaction,
): Promise<string[]> {
  const rows = await queryRaw<{ webhook_id: string }>(
    `UPDATE deliveries SET due_at = COALESCE(next_attempt_at, $1), updated_at = $1
     WHERE claim IS NULL AND id IN (SELECT id FROM deliveries
       WHERE webhook_id IN (SELECT id FROM webhooks WHERE team_id = $2 AND project_id IS NULL)
         AND queue IN (${Object.values(QUEUE).join(', ')}) AND due_at > $3 AND claim IS NULL AND project_id = $4
         AND (next_attempt_at IS NULL OR next_attempt_at < due_at) LIMIT ${BATCH})
     RETURNING webhook_id`,
    [sqlTime(clock.now()), teamId, sqlTime(deletionAt.getTime()), id],
    transaction,
  );
  return [...new Set(rows.map(({ webhook_id }) => webhook_id))];
}

/**
 * Deletes up to `batch` deliveries older than DELIVERY_RETENTION_DAYS with their attempts, except those still to be sent.
 * Returns whether there may be more. Ids begin with the time of the event, so the primary key finds the oldest.
 */
export async function purgeDeliveries(batch: number): Promise<boolean> {
  const before = keptFrom();
  const values = [firstIdAt('dlv', await deletedOneByOneUntil('deliveries', before)), sqlTime(before)];
  const where = 'id < $1 AND created_at < $2 AND due_at IS NULL';
  return (await deleteOldest({ table: 'deliveries', where, values, oldestBy: 'id', batch })) === batch;
}

/** Drops the partitions in which `purgeDeliveries` would delete each delivery, and those of their attempts. */
export async function dropDeliveries(): Promise<void> {
  const before = keptFrom();
  await dropPartitions('deliveries', before, {
    isNeeded: ({ name }, transaction) => isThere(`${name} WHERE due_at IS NOT NULL`, [], transaction),
    hasYoung: ({ name }) => hasRowsSince(name, before),
  });
  await dropPartitions('attempts', before, { isNeeded: hasDeliveries });
}

function hasDeliveries({ from, to }: OldPartition, transaction: Transaction): Promise<boolean> {
  const ids = [firstIdAt('dlv', from ?? 0), firstIdAt('dlv', to)];
  return isThere('deliveries WHERE id >= $1 AND id < $2', ids, transaction);
}

async function isThere(rows: string, values: readonly unknown[], transaction: Transaction): Promise<boolean> {
  return (await queryRaw(`SELECT 1 AS one FROM ${rows} LIMIT 1`, values, transaction)).length > 0;
}

/** Milliseconds. */
function keptFrom(): number {
  return clock.now() - config.deliveryRetentionDays * DAY_MS;
}

/**
 * Takes erased events of one project out of batches, sent or not, and deletes the batches that had no others: what is left is
 * shown, and sent on later attempts, without them. The caller has deleted the events and locked the webhooks of their team.
 */
export async function eraseFromBatches(eventIds: readonly string[], transaction: Transaction): Promise<void> {
  const ids = await takeOutOfBatches(eventIds, transaction);
  if (ids.length === 0) return;
  const left = `(SELECT COUNT(*) FROM batched_events WHERE batched_events.project_id = deliveries.project_id
    AND batched_events.delivery_id = deliveries.id)`;
  const run = (sql: string) => queryRaw<{ id: string }>(sql, [inListValue(ids)], transaction);
  await run(`UPDATE deliveries SET event_count = ${left} WHERE ${inList('id', '$1')}`);
  const empty = await run(`SELECT id FROM deliveries WHERE ${inList('id', '$1')} AND event_count = 0`);
  await deleteDeliveries(
    empty.map(({ id }) => id),
    transaction,
  );
}

/** Deletes these deliveries and their attempts, which have no reference to them on PostgreSQL. */
export async function deleteDeliveries(ids: readonly string[], transaction: Transaction): Promise<void> {
  if (ids.length === 0) return;
  for (const [table, column] of [
    ['deliveries', 'id'],
    ['attempts', 'delivery_id'],
  ] as const)
    await queryRaw(`DELETE FROM ${table} WHERE ${inList(column, '$1')}`, [inListValue(ids)], transaction);
}

/** Deletes a batch of the deliveries of a deleted webhook, and finally its row. Returns whether there may be more. */
export async function purgeDeletedWebhooks(batch: number): Promise<boolean> {
  const [webhook] = await queryRaw<{ id: string }>(
    'SELECT id FROM webhooks WHERE deleted_at IS NOT NULL ORDER BY deleted_at LIMIT 1',
    [],
  );
  if (!webhook) return false;
  const values = [webhook.id];
  if (await purgeWaiting(webhook.id, batch)) return true;
  const owned = { table: 'deliveries', where: 'webhook_id = $1', values, oldestBy: 'created_at, id', batch };
  if ((await deleteOldest(owned)) > 0) return true;
  const where = 'id = $1 AND NOT EXISTS (SELECT 1 FROM deliveries WHERE webhook_id = $1)';
  return (await deleteOldest({ table: 'webhooks', where, values, oldestBy: 'id', batch })) > 0;
}
