import { Op, type Transaction } from '../db/sequelize.ts';
import { renderEnvelope } from '../events/envelope.ts';
import { now } from '../kernel/clock.ts';
import { deriveId, deriveUuid } from '../kernel/ids.ts';
import { Delivery } from '../models/Delivery.ts';
import type { Event } from '../models/Event.ts';
import type { Webhook } from '../models/Webhook.ts';

export interface Pair {
  event: Event;
  webhook: Pick<Webhook, 'id' | 'projectId' | 'apiVersion'>;
}

/** First attempts of clicks that share a job: at 10 s each a dead receiver holds one slot for 200 s at most. */
const CLICKS_PER_JOB = 20;

/**
 * Writes the deliveries of these pairs, due now, with the job that will make the first attempt. Their ids follow from
 * event and webhook: a pair that was planned before stays as it is. Gives the rows of all pairs.
 */
export async function planDeliveries(pairs: Pair[], transaction: Transaction): Promise<Delivery[]> {
  const rows = pairs.map(({ event, webhook }) => ({
    id: deriveId('dlv', event.id, webhook.id),
    webhookId: webhook.id,
    projectId: webhook.projectId ?? event.projectId,
    eventId: event.id,
    eventType: event.type,
    nextAttemptAt: now(),
    jobId: '',
    requestBody: renderEnvelope(event, webhook.apiVersion),
  }));
  if (rows.length === 0) return [];
  assignJobs(rows);
  await Delivery.bulkCreate(rows, { transaction, ignoreDuplicates: true });
  return Delivery.findAll({ where: { id: { [Op.in]: rows.map((row) => row.id) } }, transaction });
}

/** The job that makes the attempt with that number (from 1). */
export function attemptJobId(deliveryId: string, number: number): string {
  return deriveUuid(deliveryId, 'attempt', String(number));
}

/** Clicks of one webhook travel in batches; every other delivery has a job of its own. */
function assignJobs(rows: { id: string; webhookId: string; eventType: string; jobId: string }[]): void {
  const batches = new Map<string, { jobId: string; size: number }>();
  for (const row of rows) {
    const open = batches.get(row.webhookId);
    if (row.eventType !== 'link.clicked') row.jobId = attemptJobId(row.id, 1);
    else if (open && open.size < CLICKS_PER_JOB) {
      row.jobId = open.jobId;
      open.size += 1;
    } else {
      row.jobId = attemptJobId(row.id, 1);
      batches.set(row.webhookId, { jobId: row.jobId, size: 1 });
    }
  }
}
