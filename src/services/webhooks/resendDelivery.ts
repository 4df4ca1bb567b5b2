import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { now } from '../../kernel/clock.ts';
import { CodedError, notFound } from '../../kernel/errors.ts';
import { Delivery } from '../../models/Delivery.ts';
import { QUEUE } from '../../webhooks/queue.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findDelivery } from './deliveries.ts';
import { findWebhook } from './findWebhook.ts';

/** Resends of one delivery that may wait at once: somebody is in a hurry, or a script is wrong. */
const MOST_WAITING = 10;

/**
 * Sends a delivery once more at once, also to a webhook that is disabled or whose circuit is open. Throws `not_found`, and
 * `conflict` when too many resends of it wait.
 */
export async function resendDelivery(principal: Principal, id: string): Promise<Delivery> {
  const found = await findDelivery(principal, id, 'webhooks:write');
  const webhook = await findWebhook(principal, 'webhooks:write', found.webhookId);
  return inTransaction(async (transaction) => {
    const delivery = await Delivery.findByPk(found.id, { transaction, lock: transaction.LOCK.UPDATE });
    if (!delivery) throw notFound('delivery');
    if (delivery.resends >= MOST_WAITING) {
      throw new CodedError(
        'conflict',
        `${MOST_WAITING} resends of this delivery are waiting. Wait until they were made.`,
      );
    }
    // While an attempt is under way its end decides when the next one is due.
    const dueAt = delivery.claim === null ? now() : delivery.dueAt;
    await delivery.update({ resends: delivery.resends + 1, queue: QUEUE.byHand, dueAt }, { transaction });
    await announce(transaction, 'deliveries', delivery.webhookId);
    const details = { delivery_id: delivery.id, event_id: delivery.eventId, event_type: delivery.eventType };
    await recordAudit(transaction, principal, { ...aboutWebhook(webhook), action: 'delivery.resent', details });
    return delivery;
  });
}
