import { inTransaction } from '../db/inTransaction.ts';
import { Op } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import type { Delivery } from '../models/Delivery.ts';
import { Event } from '../models/Event.ts';
import { Webhook } from '../models/Webhook.ts';
import { planDeliveries } from './planDeliveries.ts';
import { matches } from './select.ts';

/**
 * Makes the deliveries of events that have none yet, one for each webhook that wants the event, and gives those that
 * are due. Doing it twice is harmless.
 */
export async function fanOut(eventIds: string[]): Promise<Delivery[]> {
  const events = await Event.findAll({
    where: { id: { [Op.in]: eventIds }, fannedOutAt: null },
    order: [['createdAt', 'ASC']],
  });
  if (events.length === 0) return [];
  const teamIds = [...new Set(events.map((event) => event.teamId))];
  const webhooks = await Webhook.findAll({ where: { teamId: { [Op.in]: teamIds } } });
  const pairs = events.flatMap((event) =>
    webhooks.filter((webhook) => matches(webhook, event)).map((webhook) => ({ event, webhook })),
  );
  return inTransaction(async (transaction) => {
    const deliveries = await planDeliveries(pairs, transaction);
    const ids = events.map((event) => event.id);
    await Event.update({ fannedOutAt: now() }, { where: { id: { [Op.in]: ids } }, transaction });
    return deliveries.filter((delivery) => delivery.status === 'pending');
  });
}
