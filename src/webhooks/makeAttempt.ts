import { clock } from '../kernel/clock.ts';
import { log, logLine } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import type { Webhook } from '../models/Webhook.ts';
import { liveSecrets } from '../services/webhooks/webhookSecrets.ts';
import type { AttemptResult } from './attempt.ts';
import type { OurFault } from './outcome.ts';
import type { Sender } from './send.ts';
import { signatureHeader } from './signature.ts';

/** What is told of a delivery to its receiver. */
export interface Sending {
  id: string;
  eventId: string;
  eventType: string;
  /** Attempts that have ended. */
  attemptCount: number;
  requestBody: string;
}

/** Signs and sends a delivery, once. Never rejects: faults of ours are a result too. */
export async function makeAttempt(
  delivery: Sending,
  webhook: Pick<Webhook, 'id' | 'url' | 'secrets'>,
  sender: Sender,
): Promise<AttemptResult | OurFault> {
  const attempt = delivery.attemptCount + 1;
  try {
    const result = await sender.send({
      url: webhook.url,
      headers: headersOf(delivery, attempt, liveSecrets(webhook.secrets)),
      body: delivery.requestBody,
    });
    metrics.deliveryAttempts.inc({ result: result.error ?? 'ok' });
    const { statusCode: status, error, durationMs } = result;
    const { id, eventId: event, eventType: type } = delivery;
    logLine({ delivery: id, webhook: webhook.id, event, type, attempt, status, error, durationMs }, 'webhook attempt');
    return result;
  } catch (error) {
    log.error({ err: error, delivery: delivery.id }, 'an attempt could not be made; it is repeated and not counted');
    return { kind: 'our_fault' };
  }
}

function headersOf(delivery: Sending, attempt: number, secrets: string[]): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'SVC-Webhooks/1',
    'SVC-Signature': signatureHeader(secrets, delivery.requestBody, Math.floor(clock.now() / 1000)),
    'SVC-Event-Id': delivery.eventId,
    'SVC-Event-Type': delivery.eventType,
    'SVC-Delivery-Id': delivery.id,
    'SVC-Attempt': String(attempt),
  };
}
