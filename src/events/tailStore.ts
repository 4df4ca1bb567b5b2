import { epochMs, inList, inListValue, limitInOrder, withoutIndex } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import { inIndexOrder } from '../db/transactions.ts';
import { firstIdAt } from '../kernel/ids.ts';
import { Event } from '../models/Event.ts';
import { API_VERSION, type EventType } from './catalogue.ts';
import { renderEnvelope } from './envelope.ts';

/** An event without its data. */
export interface EventRef {
  id: string;
  /** When it was created, in milliseconds since the epoch. */
  atMs: number;
  type: string;
  linkId: string | null;
}

/** Which events of a project are meant; tests for single webhooks never are. */
export interface TailFilter {
  projectId: string;
  /** Null: every type. */
  types: readonly EventType[] | null;
  linkId: string | null;
}

/** A place in the order of events, which is that of their creation. */
export type Place = Pick<EventRef, 'id' | 'atMs'>;

/** The place before every event of that moment. */
export function placeAt(atMs: number): Place {
  return { atMs, id: firstIdAt('evt', 0) };
}

/** Up to `limit` events after that place, oldest first. */
export async function eventsAfter(filter: TailFilter, after: Place, limit: number): Promise<EventRef[]> {
  const { sql, values } = rowsAfter(filter, after, `id, ${epochMs('created_at')} AS at_ms, type, link_id`, limit);
  const inOrder = `SELECT * FROM (${sql}) AS found ORDER BY at_ms, id LIMIT ${limit}`;
  return refsOf(await inIndexOrder((transaction) => queryRaw<RefRow>(inOrder, values, transaction)));
}

/** How many events come after that place, counted up to `limit`. */
export async function countAfter(filter: TailFilter, after: Place, limit: number): Promise<number> {
  const { sql, values } = rowsAfter(filter, after, 'id', limit);
  const counted = `SELECT COUNT(*) AS count FROM (${sql}) AS found`;
  const [row] = await inIndexOrder((transaction) => queryRaw<{ count: number | string }>(counted, values, transaction));
  return Math.min(limit, Number(row?.count ?? 0));
}

/**
 * Up to `limit` events that were created within `windowMs` before the event at that place but may have been committed after it,
 * oldest first: deliveries are made soon after the commit, so one whose deliveries were made before is not among them.
 */
export async function maybeCommittedAfter(
  filter: TailFilter,
  { id, atMs }: Place,
  { windowMs, skewMs, limit }: { windowMs: number; skewMs: number; limit: number },
): Promise<EventRef[]> {
  const { condition, values } = conditionOf(filter);
  const at = values.length;
  const rows = await queryRaw<RefRow>(
    `SELECT id, ${epochMs('created_at')} AS at_ms, type, link_id FROM events
     WHERE ${condition} AND created_at >= $${at + 1} AND created_at <= $${at + 2} AND id <> $${at + 3}
       AND (created_at < $${at + 2} OR id < $${at + 3}) AND (fanned_out_at IS NULL OR fanned_out_at >= $${at + 4})
     ORDER BY created_at DESC, id DESC ${limitInOrder(limit)}`,
    [...values, sqlTime(atMs - windowMs), sqlTime(atMs), id, sqlTime(atMs - skewMs)],
  );
  return refsOf(rows).reverse();
}

/** When an event of the project was created; undefined if there is none with that id. */
export async function createdAtOf(projectId: string, id: string): Promise<number | undefined> {
  const sql = `SELECT ${epochMs('created_at')} AS at_ms FROM events WHERE id = $1 AND project_id = $2`;
  const [row] = await queryRaw<{ at_ms: number | string }>(sql, [id, projectId]);
  return row && Number(row.at_ms);
}

/** The type of these events and their envelopes as webhooks receive them, by their ids. */
export async function envelopesOf(ids: readonly string[]): Promise<Map<string, { type: string; text: string }>> {
  if (ids.length === 0) return new Map();
  const events = await readRows(Event, inList('id', '$1'), [inListValue(ids)], { select: queryRaw });
  return new Map(events.map((event) => [event.id, { type: event.type, text: renderEnvelope(event, API_VERSION) }]));
}

interface RefRow {
  id: string;
  at_ms: number | string;
  type: string;
  link_id: string | null;
}

function refsOf(rows: RefRow[]): EventRef[] {
  return rows.map(({ id, at_ms, type, link_id }) => ({ id, atMs: Number(at_ms), type, linkId: link_id }));
}

/**
 * The query of the first `limit` events after a place, and of each type as many: every part of it reads one index in its order,
 * however rare the types are.
 */
function rowsAfter(filter: TailFilter, { id, atMs }: Place, columns: string, limit: number) {
  const parts = filter.types && !filter.linkId ? filter.types.map((type) => ({ ...filter, types: [type] })) : [filter];
  const values: unknown[] = [];
  const selects = parts.map((part) => {
    const { condition, values: its } = conditionOf(part, values.length);
    values.push(...its, sqlTime(atMs), id);
    const [time, last] = [values.length - 1, values.length];
    return `SELECT * FROM (SELECT ${columns} FROM events WHERE ${condition} AND (created_at, id) > ($${time}, $${last})
      ORDER BY created_at, id LIMIT ${limit}) AS part`;
  });
  return { sql: selects.join(' UNION ALL '), values };
}

/** The condition of a filter, and the values of its parameters, which are numbered from `$<offset + 1>`. */
function conditionOf({ projectId, types, linkId }: TailFilter, offset = 0) {
  const values: unknown[] = [projectId];
  const parts = [`project_id = $${offset + 1}`, 'webhook_id IS NULL'];
  if (linkId) parts.push(`link_id = $${offset + values.push(linkId)}`);
  if (types?.length === 1 && !linkId) parts.push(`type = $${offset + values.push(types[0])}`);
  else if (types) parts.push(inList(withoutIndex('type'), `$${offset + values.push(inListValue(types))}`));
  return { condition: parts.join(' AND '), values };
}
