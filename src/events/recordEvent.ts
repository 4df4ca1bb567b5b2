import { announce } from '../db/announce.ts';
import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { Event } from '../models/Event.ts';
import type { EventType } from './catalogue.ts';

/** What happened. `tagIds`: the tags of the link at that time; `webhookId`: a test, for that webhook alone. */
export interface NewEvent {
  type: EventType;
  teamId: string;
  projectId: string | null;
  linkId?: string | null;
  tagIds?: string[];
  trafficClass?: string | null;
  webhookId?: string | null;
  data: Record<string, unknown>;
}

/** Writes the outbox row in the transaction of the change; after the commit the relay is told that there is work. */
export async function recordEvent(transaction: Transaction, event: NewEvent): Promise<Event> {
  const row = await Event.create(
    { id: newId('evt'), linkId: null, tagIds: [], trafficClass: null, webhookId: null, ...event, createdAt: now() },
    { transaction },
  );
  await announce(transaction, 'outbox', '');
  return row;
}
