import { among, amongValue } from '../db/among.ts';
import { announce } from '../db/announce.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { readModels } from '../db/readModels.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import { leaveOutbox, outboxEvents } from '../events/outbox.ts';
import type { Event } from '../models/Event.ts';
import { Webhook } from '../models/Webhook.ts';
import { type Pair, planDeliveries } from './planDeliveries.ts';
import { matches } from './select.ts';

/** Events of one transaction, and the deliveries at which it takes no more: on SQLite every other write waits for it. */
const MOST_EVENTS = 500;
const MOST_DELIVERIES = 500;

/**
 * Makes the deliveries of events that have none yet, one for each webhook that wants the event, and ends the events' way
 * through the outbox with them. Takes from each team in turn. Gives how many events it dealt with; 0: the outbox is
 * empty.
 */
export async function fanOut(): Promise<number> {
  return inTransaction(async (transaction) => {
    const events = await outboxEvents(MOST_EVENTS, transaction);
    if (events.length === 0) return 0;
    const webhooks = await webhooksOf(events, transaction);
    const pairs: Pair[] = [];
    let dealtWith = 0;
    for (const event of events) {
      if (pairs.length >= MOST_DELIVERIES) break;
      const wanting = (webhooks.get(event.teamId) ?? []).filter((webhook) => matches(webhook, event));
      pairs.push(...wanting.map((webhook) => ({ event, webhook })));
      dealtWith += 1;
    }
    await planDeliveries(pairs, transaction);
    await leaveOutbox(
      events.slice(0, dealtWith).map(({ id }) => id),
      transaction,
    );
    const woken = new Set(pairs.map(({ webhook }) => webhook.id));
    if (woken.size > 0) await announce(transaction, 'deliveries', ...woken);
    return dealtWith;
  });
}

async function webhooksOf(events: Event[], transaction: Transaction): Promise<Map<string, Webhook[]>> {
  const teamIds = [...new Set(events.map(({ teamId }) => teamId))];
  const condition = `${among('team_id', '$1')} AND deleted_at IS NULL`;
  const found = await readModels(Webhook, condition, [amongValue(teamIds)], { transaction, select: selectBound });
  return Map.groupBy(found, ({ teamId }) => teamId);
}
