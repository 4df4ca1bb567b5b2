import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { renderEnvelope } from '../events/envelope.ts';
import { clock } from '../kernel/clock.ts';
import { deriveId } from '../kernel/ids.ts';
import type { Event } from '../models/Event.ts';
import type { Webhook } from '../models/Webhook.ts';
import { QUEUE, type Queue } from './queue.ts';

export interface Pair {
  event: Event;
  webhook: Pick<Webhook, 'id' | 'projectId' | 'apiVersion'>;
}

const COLUMNS = {
  id: 'text',
  webhook_id: 'text',
  project_id: 'text',
  event_id: 'text',
  event_type: 'text',
  event_at: 'time',
  is_test: 'flag',
  status: 'text',
  next_attempt_at: 'time',
  queue: 'integer',
  due_at: 'time',
  request_body: 'text',
  created_at: 'time',
  updated_at: 'time',
} as const;
const NAMES = Object.keys(COLUMNS).join(', ');

/**
 * Writes the deliveries of these pairs, due now. Their ids follow from event and webhook: a pair that was planned before
 * stays as it is.
 */
export async function planDeliveries(
  pairs: Pair[],
  transaction: Transaction,
  queue: Queue = QUEUE.automatic,
): Promise<void> {
  const now = sqlTime(clock.now());
  const bodies = new Map<string, string>();
  const bodyOf = ({ event, webhook: { apiVersion } }: Pair) => {
    const key = `${event.id} ${apiVersion}`;
    const body = bodies.get(key) ?? renderEnvelope(event, apiVersion);
    bodies.set(key, body);
    return body;
  };
  const rows = pairs.map((pair) => {
    const { event, webhook } = pair;
    const isTest = event.webhookId !== null;
    return [
      deliveryId(event, webhook),
      webhook.id,
      webhook.projectId ?? event.projectId,
      event.id,
      event.type,
      sqlTime(event.createdAt.getTime()),
      isTest,
      'pending',
      now,
      isTest ? QUEUE.byHand : queue,
      now,
      bodyOf(pair),
      now,
      now,
    ];
  });
  await withJsonRows(
    COLUMNS,
    rows,
    `INSERT INTO deliveries (${NAMES}) SELECT ${NAMES} FROM given WHERE true ON CONFLICT DO NOTHING`,
    transaction,
  );
}

/** The delivery of an event to a webhook, whether there is one or not. */
export function deliveryId(event: { id: string }, webhook: { id: string }): string {
  return deriveId('dlv', event.id, webhook.id);
}
