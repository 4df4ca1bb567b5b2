import type { WebhookEvent } from 'SVC-Webhooks';

/** What is yet to be worked on, apart from the request: the server waits ten seconds for an answer. */
export const inbox: WebhookEvent[] = [];

const seen = new Set<string>();

/**
 * Keeps an event for later, the first time it comes: an answer that got lost, or a resend by hand, brings it again
 * with the same id. Here in memory; where restarts and other processes must know of it, the id is a primary key:
 *   INSERT INTO webhook_inbox (id, event) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING
 * Keep the ids for 40 days: an event can be replayed for 30, and is then retried for some more.
 */
export async function storeOnce(event: WebhookEvent): Promise<void> {
  if (seen.has(event.id)) return;
  seen.add(event.id);
  inbox.push(event);
}
