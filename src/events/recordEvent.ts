import { announce } from '../db/announce.ts';
import { modelOfRow } from '../db/connection/internals.ts';
import { insertRows, newRow } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import { Event } from '../models/Event.ts';
import type { TypedData } from './presenters.ts';

/** The properties that decide which webhooks receive an event: see `matches`. */
export interface EventScope {
  teamId: string;
  /** Null only for alerts of a whole team. */
  projectId: string | null;
  linkId?: string | null;
  /** Tags of the link when the event happened. */
  tagIds?: string[];
  trafficClass?: string | null;
  /** Set for a test: the only webhook that receives it. */
  webhookId?: string | null;
}

/** An event with its presented data. `id` is derived from the cause where a repeat must not record the event twice. */
export type NewEvent = EventScope & TypedData & { id?: string };

/** Writes an event to the outbox in the transaction of its cause. The commit wakes the job that fans it out. */
export async function recordEvent(transaction: Transaction, event: NewEvent): Promise<Event> {
  const [row] = await recordEvents(transaction, [event]);
  return row as Event;
}

/** Writes many events in few statements. With `keepsKnown`, events whose id exists already are skipped. */
export async function recordEvents(
  transaction: Transaction,
  events: NewEvent[],
  { keepsKnown = false } = {},
): Promise<Event[]> {
  if (events.length === 0) return [];
  const createdAt = now();
  const rows = events.map((event) => newRow(Event, { id: newId('evt'), tagIds: [], ...event, createdAt }));
  await insertRows(Event, rows, { transaction, ...(keepsKnown ? { onConflict: 'ON CONFLICT (id) DO NOTHING' } : {}) });
  await announce(transaction, 'outbox', ...new Set(events.map(({ projectId }) => projectId ?? '')));
  return mapYielding(rows, (row) => modelOfRow(Event, row));
}
