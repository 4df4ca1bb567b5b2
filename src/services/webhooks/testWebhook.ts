import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { EventType } from '../../events/catalogue.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { sampleData } from '../../events/samples.ts';
import type { Delivery } from '../../models/Delivery.ts';
import { planDeliveries } from '../../webhooks/planDeliveries.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';

/**
 * Sends a sample of that event type (`test: true` in the envelope) to this webhook alone, also while it is disabled.
 * The delivery is on its way when this returns. Throws `not_found`.
 */
export async function testWebhook(principal: Principal, id: string, type: EventType): Promise<Delivery> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    const event = await recordEvent(transaction, {
      type,
      teamId: webhook.teamId,
      projectId: webhook.projectId,
      webhookId: webhook.id,
      data: sampleData(type),
    });
    // Planned here already, so that it can be shown; the relay finds it and gives it its job.
    const [delivery] = await planDeliveries([{ event, webhook }], transaction);
    return delivery as Delivery;
  });
}
