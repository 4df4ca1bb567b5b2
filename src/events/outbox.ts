import { inTransaction } from '../db/inTransaction.ts';
import { Op } from '../db/sequelize.ts';
import { inSeconds, now } from '../kernel/clock.ts';
import { Event } from '../models/Event.ts';

/** An event whose job was lost is relayed again after this long. */
const RELAY_AGAIN_SECONDS = 60;

/** Events that no job has in hand, oldest first, at most `limit`. */
export async function unrelayedEvents(limit: number): Promise<Event[]> {
  const lost = { relayedAt: { [Op.lt]: inSeconds(-RELAY_AGAIN_SECONDS) } };
  return Event.findAll({
    attributes: ['id', 'type', 'relayedAt'],
    where: { fannedOutAt: null, [Op.or]: [{ relayedAt: null }, lost] },
    order: [['createdAt', 'ASC']],
    limit,
  });
}

/** Notes that jobs have these events in hand. */
export async function markRelayed(ids: string[]): Promise<void> {
  await inTransaction((transaction) =>
    Event.update({ relayedAt: now() }, { where: { id: { [Op.in]: ids } }, transaction }),
  );
}
