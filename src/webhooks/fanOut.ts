import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inIndexOrder } from '../db/transactions.ts';
import { lockOutboxEvents, markFannedOut } from '../events/eventStore.ts';
import type { Event } from '../models/Event.ts';
import { QUEUE } from '../models/queue.ts';
import { Webhook } from '../models/Webhook.ts';
import { matches } from './decideReceivers.ts';
import { planEvents } from './planEvents.ts';

/** Events of one transaction, and the number of deliveries at which it stops: on SQLite all other writes wait for it. */
const MAX_EVENTS = 500;
const MAX_DELIVERIES = 500;

/**
 * Plans what webhooks get of events in the outbox: a delivery for each webhook that receives the event, or its place in a
 * batch. Marks the events as fanned out, and serves the teams in turn. Returns their number, and whether there may be more
 * that nobody announces.
 */
export async function fanOut(): Promise<{ count: number; hasMore: boolean }> {
  return inIndexOrder(async (transaction) => {
    const { events, hasMore } = await lockOutboxEvents(MAX_EVENTS, transaction);
    if (events.length === 0) return { count: 0, hasMore };
    const webhooks = await webhooksOf(events, transaction);
    const pairs: { event: Event; webhook: Webhook }[] = [];
    let count = 0;
    for (const event of events) {
      if (pairs.length >= MAX_DELIVERIES) break;
      const receivers = (webhooks.get(event.teamId) ?? []).filter((webhook) => matches(webhook, event));
      pairs.push(...receivers.map((webhook) => ({ event, webhook })));
      count += 1;
    }
    await planEvents(pairs, transaction, QUEUE.automatic);
    await markFannedOut(
      events.slice(0, count).map(({ id }) => id),
      transaction,
    );
    const woken = new Set(pairs.map(({ webhook }) => webhook.id));
    if (woken.size > 0) await announce(transaction, 'deliveries', ...woken);
    return { count, hasMore: hasMore || count < events.length };
  });
}

async function webhooksOf(events: Event[], transaction: Transaction): Promise<Map<string, Webhook[]>> {
  const teamIds = [...new Set(events.map(({ teamId }) => teamId))];
  const condition = `${inList('team_id', '$1')} AND deleted_at IS NULL`;
  const found = await readRows(Webhook, condition, [inListValue(teamIds)], { transaction, select: queryRaw });
  return Map.groupBy(found, ({ teamId }) => teamId);
}
