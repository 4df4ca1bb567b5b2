import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { BATCH_TYPE } from '../events/catalogue.ts';
import { joinEnvelope, renderBatch } from '../events/envelope.ts';
import { readEnvelopes } from '../events/eventStore.ts';
import { eventsOfBatch } from './batchStore.ts';

/** The parts of a delivery that its body follows from. */
export interface Addressed {
  id: string;
  webhookId: string;
  projectId: string | null;
  eventId: string;
  eventType: string;
  /** Null or empty, unless the delivery was made when bodies were stored. */
  requestBody: string | null;
}

/**
 * The request bodies of deliveries, by their ids: rendered from the events, which are kept for as long as the deliveries, and
 * the same bytes each time. A delivery has none only if its event was erased. `versions`: the API versions of all webhooks, by
 * their ids, if they are known.
 */
export async function bodiesOf(
  deliveries: readonly Addressed[],
  { transaction, versions }: { transaction?: Transaction; versions?: Map<string, string> } = {},
): Promise<Map<string, string>> {
  const bodies = new Map<string, string>();
  const rendered = deliveries.filter(({ id, requestBody }) => {
    if (requestBody) bodies.set(id, requestBody);
    return !requestBody;
  });
  const [batches, single] = [rendered.filter(isBatch), rendered.filter((delivery) => !isBatch(delivery))];
  const versionOf = versions ?? (await apiVersions(rendered, transaction));
  const events = await readEnvelopes(
    single.map(({ eventId }) => eventId),
    transaction,
  );
  for (const { id, webhookId, eventId } of single) {
    const [event, version] = [events.get(eventId), versionOf.get(webhookId)];
    if (event && version) bodies.set(id, joinEnvelope(event, version));
  }
  // One by one: each may have a megabyte.
  for (const batch of batches) {
    const version = versionOf.get(batch.webhookId);
    const body = version && (await batchBody(batch, version, transaction));
    if (body) bodies.set(batch.id, body);
  }
  return bodies;
}

/** Whether a delivery is a batch. */
export function isBatch({ eventType }: { eventType: string }): boolean {
  return eventType === BATCH_TYPE;
}

async function batchBody(batch: Addressed, apiVersion: string, transaction?: Transaction): Promise<string | null> {
  const ids = await eventsOfBatch(batch, transaction);
  const events = await readEnvelopes(ids, transaction);
  const envelopes = ids.flatMap((id) => {
    const event = events.get(id);
    return event ? [joinEnvelope(event, apiVersion)] : [];
  });
  return envelopes.length > 0 ? renderBatch(envelopes) : null;
}

/** By the webhooks, also deleted ones, whose deliveries are deleted before them. */
async function apiVersions(deliveries: readonly Addressed[], transaction?: Transaction): Promise<Map<string, string>> {
  if (deliveries.length === 0) return new Map();
  const ids = [...new Set(deliveries.map(({ webhookId }) => webhookId))];
  const rows = await queryRaw<{ id: string; api_version: string }>(
    `SELECT id, api_version FROM webhooks WHERE ${inList('id', '$1')}`,
    [inListValue(ids)],
    transaction,
  );
  return new Map(rows.map(({ id, api_version }) => [id, api_version]));
}
