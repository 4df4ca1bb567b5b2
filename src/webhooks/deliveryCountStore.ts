import { hourOf, inList, inListValue, jsonArray, limitInOrder, withoutIndex } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { buildQuery, queryRaw } from '../db/query.ts';
import type { DeliveryStatus } from '../models/Delivery.ts';

/** Deliveries of a webhook that were created in one hour and have one status. */
export interface HourlyCount {
  webhookId: string;
  status: DeliveryStatus;
  /** Start of the UTC hour, in milliseconds. */
  hour: number;
  count: number;
}

/** Counts the deliveries of these webhooks created since a time, by hour and status; reads `deliveries_by_status` alone. */
export async function countByHour(webhookIds: readonly string[], since: number): Promise<HourlyCount[]> {
  const hour = hourOf('created_at');
  const rows = await queryRaw<{ webhook_id: string; status: DeliveryStatus; hour: string | Date; count: number }>(
    `SELECT webhook_id, status, ${hour} AS hour, COUNT(*) AS count FROM deliveries
     WHERE ${inList('webhook_id', '$1')} AND status IN ('pending', 'succeeded', 'failed', 'cancelled') AND created_at >= $2
     GROUP BY webhook_id, status, ${hour}`,
    [inListValue(webhookIds), sqlTime(since)],
  );
  return rows.map(({ webhook_id: webhookId, status, hour, count }) => ({
    webhookId,
    status,
    hour: typeof hour === 'string' ? Date.parse(`${hour.replace(' ', 'T')}:00Z`) : hour.getTime(),
    count: Number(count),
  }));
}

/** What the newest rows of a webhook say, whatever the interval. */
export interface NewestDeliveries {
  webhookId: string;
  /** Those that wait now, of any age. */
  pending: number;
  lastDeliveryAt: Date | null;
  lastSuccessAt: Date | null;
  /** Durations of the successful attempts of the newest deliveries, in milliseconds. */
  durations: number[];
}

/** Successful deliveries whose durations tell how fast a receiver answers. */
const TIMED = 100;

/** Reads what is waiting, and the newest deliveries since a time, of each of these webhooks: a few index entries each. */
export async function readNewest(webhookIds: readonly string[], since: number): Promise<NewestDeliveries[]> {
  const newest = `ORDER BY created_at DESC ${limitInOrder(1)}`;
  const rows = await queryRaw<{
    id: string;
    pending: number;
    last: string | Date | null;
    success: string | Date | null;
    durations: string | number[];
  }>(
    `SELECT id,
       (SELECT COUNT(*) FROM deliveries WHERE webhook_id = webhooks.id AND status = 'pending') AS pending,
       (SELECT created_at FROM deliveries WHERE webhook_id = webhooks.id ${newest}) AS last,
       (SELECT created_at FROM deliveries WHERE webhook_id = webhooks.id AND status = 'succeeded' ${newest}) AS success,
       (SELECT ${jsonArray('duration_ms', 'duration_ms')} FROM (
          SELECT attempts.duration_ms FROM (
            SELECT id FROM deliveries WHERE webhook_id = webhooks.id AND status = 'succeeded' AND created_at >= $2
            ORDER BY created_at DESC, id DESC ${limitInOrder(TIMED)}) AS newest
          JOIN attempts ON attempts.delivery_id = newest.id AND attempts.error IS NULL) AS timed) AS durations
     FROM webhooks WHERE ${inList('id', '$1')}`,
    [inListValue(webhookIds), sqlTime(since)],
  );
  return rows.map(({ id, pending, last, success, durations }) => ({
    webhookId: id,
    pending: Number(pending),
    lastDeliveryAt: last === null ? null : new Date(last),
    lastSuccessAt: success === null ? null : new Date(success),
    durations: typeof durations === 'string' ? JSON.parse(durations) : durations,
  }));
}

/** Conditions on deliveries of these webhooks; `undefined` and null are none. */
export interface DeliveryConditions {
  webhookIds: readonly string[];
  /** Only those about this project, read by the index on it. */
  projectId?: string | null;
  status?: string | null;
  eventType?: string | null;
  eventId?: string | null;
  /** Batches that have the event too. */
  batchIds?: readonly string[];
  createdAfter?: Date | null;
  createdBefore?: Date | null;
}

/** Counts deliveries by their status or by the type of their events, most first. */
export async function countDeliveries(
  conditions: DeliveryConditions,
  groupBy: 'status' | 'event_type',
): Promise<{ key: string; count: number }[]> {
  const { webhookIds, projectId, status, eventType, eventId, batchIds = [], createdAfter, createdBefore } = conditions;
  const rows = await buildQuery<{ key: string; count: number }>((bind) => {
    const where = [inList(projectId ? withoutIndex('webhook_id') : 'webhook_id', bind(inListValue(webhookIds)))];
    if (projectId) where.push(`project_id = ${bind(projectId)}`);
    if (status) where.push(`status = ${bind(status)}`);
    if (eventType) where.push(`event_type = ${bind(eventType)}`);
    if (eventId != null) where.push(`(event_id = ${bind(eventId)} OR ${inList('id', bind(inListValue(batchIds)))})`);
    if (createdAfter) where.push(`created_at >= ${bind(sqlTime(createdAfter.getTime()))}`);
    if (createdBefore) where.push(`created_at < ${bind(sqlTime(createdBefore.getTime()))}`);
    return `SELECT ${groupBy} AS key, COUNT(*) AS count FROM deliveries WHERE ${where.join(' AND ')}
      GROUP BY ${groupBy} ORDER BY COUNT(*) DESC, ${groupBy}`;
  });
  return rows.map(({ key, count }) => ({ key, count: Number(count) }));
}
