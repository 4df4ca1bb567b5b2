import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import type { EventType } from '../../events/catalogue.ts';
import { leaveOutbox } from '../../events/outbox.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { sampleEvent } from '../../events/samples.ts';
import { newId } from '../../kernel/ids.ts';
import { Delivery } from '../../models/Delivery.ts';
import { Project } from '../../models/Project.ts';
import { deliveryId, planDeliveries } from '../../webhooks/planDeliveries.ts';
import { aboutWebhook } from './aboutWebhook.ts';
import { findWebhook, lockWebhook } from './findWebhook.ts';

/**
 * Sends a sample of that event type (`test: true` in the envelope) to this webhook alone, also while it is disabled.
 * The delivery is on its way when this returns. Throws `not_found`.
 */
export async function testWebhook(principal: Principal, id: string, type: EventType): Promise<Delivery> {
  const found = await findWebhook(principal, 'webhooks:write', id);
  return inTransaction(async (transaction) => {
    const webhook = await lockWebhook(found.id, transaction);
    const projectId = webhook.projectId ?? (await firstProjectOf(webhook.teamId, transaction));
    const event = await recordEvent(transaction, {
      ...sampleEvent(type, { projectId }),
      teamId: webhook.teamId,
      projectId,
      webhookId: webhook.id,
    });
    // Planned here already, so that it can be shown.
    await planDeliveries([{ event, webhook }], transaction);
    await leaveOutbox([event.id], transaction);
    await announce(transaction, 'deliveries', webhook.id);
    await recordAudit(transaction, principal, {
      ...aboutWebhook(webhook),
      action: 'webhook.tested',
      details: { event_type: type },
    });
    return Delivery.findByPk(deliveryId(event, webhook), { transaction, rejectOnEmpty: true });
  });
}

/** Events of a team-wide webhook are of some project too. Should there be none yet, the id names nothing, as others in samples. */
async function firstProjectOf(teamId: string, transaction: Transaction): Promise<string> {
  const first = await Project.findOne({ where: { teamId }, order: [['createdAt', 'ASC']], transaction });
  return first?.id ?? newId('prj');
}
