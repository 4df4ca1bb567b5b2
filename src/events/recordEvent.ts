import { announce } from '../db/announce.ts';
import { sqlTime, statementParts, withJsonRows } from '../db/jsonRows.ts';
import { modelOf } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { now } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { mapSliced } from '../kernel/sliced.ts';
import { Event } from '../models/Event.ts';
import type { TypedData } from './EventData.ts';

/** What webhooks are chosen by. `tagIds`: the tags of the link at that time; `webhookId`: a test, for that webhook alone. */
export interface EventScope {
  teamId: string;
  /** Null for alerts of the whole team alone. */
  projectId: string | null;
  linkId?: string | null;
  tagIds?: string[];
  trafficClass?: string | null;
  webhookId?: string | null;
}

/** What happened: a type, its data as the presenters make it, and whom it concerns. `id`: derived from its cause, else a new one. */
export type NewEvent = EventScope & TypedData & { id?: string };

const COLUMNS = {
  id: 'text',
  type: 'text',
  team_id: 'text',
  project_id: 'text',
  link_id: 'text',
  tag_ids: 'json',
  traffic_class: 'text',
  webhook_id: 'text',
  data: 'json',
  created_at: 'time',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/** Writes the outbox row in the transaction of the change; after the commit the relay is told that there is work. */
export async function recordEvent(transaction: Transaction, event: NewEvent): Promise<Event> {
  const [row] = await recordEvents(transaction, [event]);
  return row as Event;
}

/** The same for many events, in as few statements as is good. `keepsKnown`: those whose id there is already are left out. */
export async function recordEvents(
  transaction: Transaction,
  events: NewEvent[],
  { keepsKnown = false } = {},
): Promise<Event[]> {
  if (events.length === 0) return [];
  const createdAt = now();
  const written = sqlTime(createdAt.getTime());
  const defaults = { linkId: null, tagIds: [], trafficClass: null, webhookId: null, fannedOutAt: null };
  const rows = events.map((event) => ({ id: newId('evt'), ...defaults, ...event, createdAt }));
  const given = await mapSliced(rows, (row) => valuesOf(row, written));
  const conflict = keepsKnown ? ' WHERE true ON CONFLICT (id) DO NOTHING' : '';
  const statement = `INSERT INTO events (${NAMES}) SELECT ${NAMES} FROM given${conflict}`;
  for (const part of statementParts(given)) await withJsonRows(COLUMNS, part, statement, transaction);
  await announce(transaction, 'outbox', '');
  return mapSliced(rows, (row) => modelOf(Event, row));
}

type Row = NewEvent & { id: string };

/** In the order of COLUMNS. JSON travels as text: as a value, PostgreSQL would put its keys into another order. */
function valuesOf(
  { id, type, teamId, projectId, linkId, tagIds, trafficClass, webhookId, data }: Row,
  written: string,
) {
  const [tags, body] = [JSON.stringify(tagIds), JSON.stringify(data)];
  return [id, type, teamId, projectId, linkId, tags, trafficClass, webhookId, body, written];
}
