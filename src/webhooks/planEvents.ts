import type { Transaction } from '../db/sequelize.ts';
import { renderEnvelope } from '../events/envelope.ts';
import { clock } from '../kernel/clock.ts';
import type { Event } from '../models/Event.ts';
import type { Queue } from '../models/queue.ts';
import type { Webhook } from '../models/Webhook.ts';
import { insertWaiting, type NewWaiting } from './batchStore.ts';
import { planDeliveries } from './deliveryStore.ts';

interface Pair {
  event: Event;
  webhook: Webhook;
}

/**
 * Plans what webhooks get of events: a delivery of its own for each, or, for a webhook with batches, a place among those that
 * wait for the next batch. Samples are never in a batch.
 */
export async function planEvents(pairs: Pair[], transaction: Transaction, queue: Queue): Promise<void> {
  const [batched, single] = [pairs.filter(isBatched), pairs.filter((pair) => !isBatched(pair))];
  await planDeliveries(single, transaction, queue);
  await insertWaiting(
    batched.map((pair) => waitingOf(pair, queue)),
    transaction,
  );
}

function isBatched({ event, webhook }: Pair): boolean {
  return webhook.batchMaxEvents !== null && event.webhookId === null;
}

function waitingOf({ event, webhook }: Pair, queue: Queue): NewWaiting {
  return {
    eventId: event.id,
    webhookId: webhook.id,
    projectId: webhook.projectId ?? event.projectId,
    queue,
    eventAt: event.createdAt,
    dueAtMs: clock.now() + (webhook.batchMaxWaitSeconds ?? 0) * 1000,
    bytes: Buffer.byteLength(renderEnvelope(event, webhook.apiVersion)),
  };
}
