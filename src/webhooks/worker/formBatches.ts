import { readRowsByIds } from '../../db/rows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import { Event } from '../../models/Event.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { deleteWaiting, firstWaiting, putIntoDelivery, waitingGroups } from '../batchStore.ts';
import { batchingOf, fitting, isRipe, nextRipeMs, type WaitingGroup } from '../decideBatch.ts';
import { planBatch, planDeliveries } from '../deliveryStore.ts';

/** Events that one sync puts into deliveries, so that the others in its transaction do not wait for long. */
const MOST_EVENTS_A_SYNC = 2000;
/** Events of one step that get deliveries of their own, after batches were switched off. */
const MOST_SINGLE = 500;

/**
 * Makes deliveries of the events that wait for a webhook, as far as they are ripe, whatever the state of the webhook: what
 * it holds back are deliveries. The caller has locked the webhook. Returns when there will be more, in milliseconds; null:
 * nothing waits.
 */
export async function formBatches(webhook: Webhook, transaction: Transaction): Promise<number | null> {
  const batching = batchingOf(webhook);
  let left = MOST_EVENTS_A_SYNC;
  for (;;) {
    const groups = await waitingGroups(webhook.id, transaction);
    const ripe = groups.filter((group) => isRipe(group, batching, clock.now()));
    if (ripe.length === 0 || left <= 0) return nextRipeMs(groups, batching, clock.now());
    for (const group of ripe) {
      if (left <= 0) break;
      left -= await (batching === null
        ? planSingly(webhook, group, transaction)
        : formOne(webhook, group, batching.maxEvents, transaction));
    }
  }
}

/** Returns the number of events. */
async function formOne(
  webhook: Webhook,
  group: WaitingGroup,
  maxEvents: number,
  transaction: Transaction,
): Promise<number> {
  const events = fitting(await firstWaiting(webhook.id, group, maxEvents, transaction));
  const { queue, projectId } = group;
  const newest = new Date(Math.max(...events.map(({ at }) => at.getTime())));
  const batch = { queue, projectId, eventAt: newest, eventCount: events.length };
  const id = await planBatch(webhook, batch, transaction);
  await putIntoDelivery(
    webhook.id,
    events.map((event) => event.id),
    id,
    transaction,
  );
  return events.length;
}

/** What still waits for batches that are switched off is sent one by one. */
async function planSingly(webhook: Webhook, group: WaitingGroup, transaction: Transaction): Promise<number> {
  const ids = (await firstWaiting(webhook.id, group, MOST_SINGLE, transaction)).map(({ id }) => id);
  const events = await readRowsByIds(Event, ids, transaction);
  const pairs = events.map((event) => ({ event, webhook }));
  await planDeliveries(pairs, transaction, group.queue);
  await deleteWaiting(webhook.id, ids, transaction);
  return ids.length;
}
