import { Op, type Transaction } from 'sequelize';
import { renderEnvelope } from '../events/envelope.ts';
import { now } from '../kernel/clock.ts';
import { deriveId } from '../kernel/ids.ts';
import { Delivery } from '../models/Delivery.ts';
import type { Event } from '../models/Event.ts';
import type { Webhook } from '../models/Webhook.ts';

/**
 * Writes the deliveries of these pairs, due now. Their ids follow from event and webhook: a pair that was planned
 * before stays as it is. Gives the rows of all pairs.
 */
export async function planDeliveries(
  pairs: { event: Event; webhook: Pick<Webhook, 'id' | 'projectId' | 'apiVersion'> }[],
  transaction: Transaction,
): Promise<Delivery[]> {
  const rows = pairs.map(({ event, webhook }) => ({
    id: deriveId('dlv', event.id, webhook.id),
    webhookId: webhook.id,
    projectId: webhook.projectId,
    eventId: event.id,
    eventType: event.type,
    nextAttemptAt: now(),
    requestBody: renderEnvelope(event, webhook.apiVersion),
  }));
  if (rows.length === 0) return [];
  await Delivery.bulkCreate(rows, { transaction, ignoreDuplicates: true });
  return Delivery.findAll({ where: { id: { [Op.in]: rows.map((row) => row.id) } }, transaction });
}
