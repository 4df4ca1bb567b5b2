import { inList, inListValue } from '../db/dialects.ts';
import { insertInto, sqlTime, statementParts } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { BATCH_LIMITS } from '../events/catalogue.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { QUEUE, type Queue } from '../models/queue.ts';
import type { WaitingEvent, WaitingGroup } from './decideBatch.ts';

/** An event that is to wait for the batch of a webhook. */
export interface NewWaiting {
  eventId: string;
  webhookId: string;
  projectId: string | null;
  queue: Queue;
  /** When the event was recorded. */
  eventAt: Date;
  /** When it has waited for long enough, in milliseconds. */
  dueAtMs: number;
  /** The length of its envelope. */
  bytes: number;
}

const COLUMNS = {
  event_id: 'text',
  webhook_id: 'text',
  project_id: 'text',
  queue: 'integer',
  event_at: 'time',
  due_at: 'time',
  bytes: 'integer',
} as const;

/** Lets events wait. One that waits or was in a batch already is left as it is. */
export async function insertWaiting(waiting: readonly NewWaiting[], transaction: Transaction): Promise<void> {
  const rows = waiting.map(({ eventId, webhookId, projectId, queue, eventAt, dueAtMs, bytes }) => [
    ...[eventId, webhookId, projectId, queue, sqlTime(eventAt.getTime()), sqlTime(dueAtMs), bytes],
  ]);
  const onConflict = 'ON CONFLICT (event_id, webhook_id) DO NOTHING';
  for (const part of statementParts(rows))
    await insertInto('batched_events', COLUMNS, part, { transaction, onConflict });
}

/** Of each queue of a webhook, the waiting events that one look takes into account: two full batches. */
const SEEN = 2000;

/** What waits for a webhook, by queue and project: of each queue the first events, since there may be a million. */
export async function waitingGroups(webhookId: string, transaction: Transaction): Promise<WaitingGroup[]> {
  const groups = (queue: Queue) => `SELECT ${queue} AS queue, project_id, COUNT(*) AS events, SUM(bytes) AS bytes,
      MIN(due_at) AS due_at FROM (
        SELECT project_id, bytes, due_at FROM batched_events
        WHERE webhook_id = $1 AND queue = ${queue} AND delivery_id IS NULL ORDER BY due_at, event_id LIMIT ${SEEN}) AS seen
      GROUP BY project_id`;
  const rows = await queryRaw<{
    queue: Queue;
    project_id: string | null;
    events: number | string;
    bytes: number | string;
    due_at: string | Date;
  }>(`${groups(QUEUE.automatic)} UNION ALL ${groups(QUEUE.replay)}`, [webhookId], transaction);
  return rows.map(({ queue, project_id, events, bytes, due_at }) => ({
    queue,
    projectId: project_id,
    events: Number(events),
    bytes: Number(bytes),
    dueAtMs: new Date(due_at).getTime(),
  }));
}

/** The first `limit` events of a group, in the order in which they wait. */
export async function firstWaiting(
  webhookId: string,
  { queue, projectId }: Pick<WaitingGroup, 'queue' | 'projectId'>,
  limit: number,
  transaction: Transaction,
): Promise<WaitingEvent[]> {
  const rows = await queryRaw<{ event_id: string; event_at: string | Date; bytes: number }>(
    `SELECT event_id, event_at, bytes FROM batched_events
     WHERE webhook_id = $1 AND queue = $2 AND delivery_id IS NULL
       AND ${projectId === null ? 'project_id IS NULL' : 'project_id = $4'}
     ORDER BY due_at, event_id LIMIT $3`,
    [webhookId, queue, limit, ...(projectId === null ? [] : [projectId])],
    transaction,
  );
  return rows.map(({ event_id, event_at, bytes }) => ({ id: event_id, at: new Date(event_at), bytes }));
}

/** Puts waiting events of a webhook into a delivery. */
export async function putIntoDelivery(
  webhookId: string,
  eventIds: readonly string[],
  deliveryId: string,
  transaction: Transaction,
): Promise<void> {
  await queryRaw(
    `UPDATE batched_events SET delivery_id = $1 WHERE webhook_id = $2 AND ${inList('event_id', '$3')}`,
    [deliveryId, webhookId, inListValue(eventIds)],
    transaction,
  );
}

/** Lets events of a webhook wait no more, because each has a delivery of its own. */
export async function deleteWaiting(
  webhookId: string,
  eventIds: readonly string[],
  transaction: Transaction,
): Promise<void> {
  await queryRaw(
    `DELETE FROM batched_events WHERE webhook_id = $1 AND delivery_id IS NULL AND ${inList('event_id', '$2')}`,
    [webhookId, inListValue(eventIds)],
    transaction,
  );
}

/** SQL: events wait for the webhook in the row for long enough. Its parameters are `ripeValues`, from $1 on. */
export function hasRipeEvents(): string {
  const first = (queue: Queue, condition: string) =>
    `EXISTS (SELECT 1 FROM batched_events WHERE webhook_id = webhooks.id AND queue = ${queue} AND delivery_id IS NULL
       AND ${condition})`;
  // Later than any could be due: the clock has been set back.
  const conditions = ['due_at <= $1', 'due_at > $2'];
  const ripe = [QUEUE.automatic, QUEUE.replay].flatMap((queue) =>
    conditions.map((condition) => first(queue, condition)),
  );
  return `(has_batched = true AND (${ripe.join(' OR ')}))`;
}

/** Now, and the latest time at which anything that waits can be due. */
export function ripeValues(): [now: string, latest: string] {
  return [sqlTime(clock.now()), sqlTime(clock.now() + BATCH_LIMITS.maxWaitSeconds * 1000)];
}

/** Which of these events wait for the webhook or are in a batch of it. */
export async function eventsInBatches(
  webhookId: string,
  eventIds: readonly string[],
  transaction?: Transaction,
): Promise<string[]> {
  if (eventIds.length === 0) return [];
  const rows = await queryRaw<{ event_id: string }>(
    `SELECT event_id FROM batched_events WHERE ${inList('event_id', '$1')} AND webhook_id = $2`,
    [inListValue(eventIds), webhookId],
    transaction,
  );
  return rows.map(({ event_id }) => event_id);
}

/** The batches to these webhooks that this event is in. */
export async function batchesWith(eventId: string, webhookIds: readonly string[]): Promise<string[]> {
  const rows = await queryRaw<{ delivery_id: string }>(
    `SELECT delivery_id FROM batched_events WHERE event_id = $1 AND delivery_id IS NOT NULL AND ${inList('webhook_id', '$2')}`,
    [eventId, inListValue(webhookIds)],
  );
  return rows.map(({ delivery_id }) => delivery_id);
}

/** The ids of the events of a batch, in the order in which it has them: that of their creation. */
export async function eventsOfBatch(
  { id, projectId }: { id: string; projectId: string | null },
  transaction?: Transaction,
): Promise<string[]> {
  const rows = await queryRaw<{ event_id: string }>(
    `SELECT event_id FROM batched_events
     WHERE ${projectId === null ? 'project_id IS NULL' : 'project_id = $2'} AND delivery_id = $1`,
    [id, ...(projectId === null ? [] : [projectId])],
    transaction,
  );
  // Sorted here: the store would do it by the rules of a language.
  return rows.map(({ event_id }) => event_id).sort();
}

/** Takes events out of all batches. Returns the deliveries that they were in. */
export async function takeOutOfBatches(eventIds: readonly string[], transaction: Transaction): Promise<string[]> {
  const rows = await queryRaw<{ delivery_id: string | null }>(
    `DELETE FROM batched_events WHERE ${inList('event_id', '$1')} RETURNING delivery_id`,
    [inListValue(eventIds)],
    transaction,
  );
  return [...new Set(rows.flatMap(({ delivery_id }) => delivery_id ?? []))];
}

/** Deletes a batch of what waits for a deleted webhook. Returns whether there was any. */
export async function purgeWaiting(webhookId: string, batch: number): Promise<boolean> {
  const of = (queue: Queue) => `webhook_id = $1 AND queue = ${queue} AND delivery_id IS NULL`;
  const first = (queue: Queue) => `SELECT event_id FROM batched_events WHERE ${of(queue)} LIMIT ${batch}`;
  const queues = [QUEUE.automatic, QUEUE.replay];
  const deleted = await inTransaction(async (transaction) => {
    let count = 0;
    for (const queue of queues) {
      const sql = `DELETE FROM batched_events WHERE ${of(queue)} AND event_id IN (${first(queue)}) RETURNING 1 AS deleted`;
      count += (await queryRaw(sql, [webhookId], transaction)).length;
    }
    return count;
  });
  return deleted > 0;
}

/**
 * Deletes, of the next `batch` events in batches after this event, those older than DELIVERY_RETENTION_DAYS whose delivery
 * or webhook is gone. Returns the last event; null when there are no more.
 */
export async function purgeBatchedEvents(after: string, batch: number): Promise<string | null> {
  const end = firstIdAt('evt', clock.now() - config.deliveryRetentionDays * DAY_MS);
  return inTransaction(async (transaction) => {
    const found = await queryRaw<{ event_id: string }>(
      'SELECT event_id FROM batched_events WHERE event_id > $1 AND event_id < $2 ORDER BY event_id LIMIT $3',
      [after, end, batch],
      transaction,
    );
    const ids = [...new Set(found.map(({ event_id }) => event_id))];
    if (ids.length === 0) return null;
    await queryRaw(
      `DELETE FROM batched_events WHERE ${inList('event_id', '$1')} AND CASE WHEN delivery_id IS NULL
         THEN NOT EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = batched_events.webhook_id)
         ELSE NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.id = batched_events.delivery_id) END`,
      [inListValue(ids)],
      transaction,
    );
    return found.length < batch ? null : (ids.at(-1) as string);
  });
}
