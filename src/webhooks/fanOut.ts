import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { lockOutboxEvents, markFannedOut } from '../events/eventStore.ts';
import type { Event } from '../models/Event.ts';
import { Webhook } from '../models/Webhook.ts';
import { matches } from './decideReceivers.ts';
import { type PlannedDelivery, planDeliveries } from './deliveryStore.ts';

/** Events of one transaction, and the number of deliveries at which it stops: on SQLite all other writes wait for it. */
const MAX_EVENTS = 500;
const MAX_DELIVERIES = 500;

/**
 * Plans the deliveries of events in the outbox, one for each webhook that receives the event, and marks the events as fanned
 * out. Serves the teams in turn. Returns the number of events; 0 when the outbox is empty.
 */
export async function fanOut(): Promise<number> {
  return inTransaction(async (transaction) => {
    const events = await lockOutboxEvents(MAX_EVENTS, transaction);
    if (events.length === 0) return 0;
    const webhooks = await webhooksOf(events, transaction);
    const pairs: PlannedDelivery[] = [];
    let fannedOut = 0;
    for (const event of events) {
      if (pairs.length >= MAX_DELIVERIES) break;
      const receivers = (webhooks.get(event.teamId) ?? []).filter((webhook) => matches(webhook, event));
      pairs.push(...receivers.map((webhook) => ({ event, webhook })));
      fannedOut += 1;
    }
    await planDeliveries(pairs, transaction);
    await markFannedOut(
      events.slice(0, fannedOut).map(({ id }) => id),
      transaction,
    );
    const woken = new Set(pairs.map(({ webhook }) => webhook.id));
    if (woken.size > 0) await announce(transaction, 'deliveries', ...woken);
    return fannedOut;
  });
}

async function webhooksOf(events: Event[], transaction: Transaction): Promise<Map<string, Webhook[]>> {
  const teamIds = [...new Set(events.map(({ teamId }) => teamId))];
  const condition = `${inList('team_id', '$1')} AND deleted_at IS NULL`;
  const found = await readRows(Webhook, condition, [inListValue(teamIds)], { transaction, select: queryRaw });
  return Map.groupBy(found, ({ teamId }) => teamId);
}
