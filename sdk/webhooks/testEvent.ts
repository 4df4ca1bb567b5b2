import { randomBytes } from 'node:crypto';
import type { WebhookEvent } from './WebhookEvent.ts';

/** Crockford's base32, 26 characters after the underscore: ids as the server makes them, that name nothing. */
const newId = (prefix: string) => `${prefix}_0${randomBytes(13).toString('hex').slice(1)}`;

/**
 * For your tests: an event as the server would send it, with ids of its own and `test: true`. Sign the JSON that you
 * send, not the event: `signatureHeader({ rawBody: JSON.stringify(event), secret })`.
 */
export function testEvent<Data extends object>(
  type: WebhookEvent['type'],
  data: Data,
  envelope: Partial<Omit<WebhookEvent, 'type' | 'data'>> = {},
): WebhookEvent<Data> {
  return {
    id: newId('evt'),
    type,
    api_version: '2026-11-01',
    created_at: new Date().toISOString(),
    team_id: newId('team'),
    project_id: newId('prj'),
    test: true,
    ...envelope,
    data,
  };
}
