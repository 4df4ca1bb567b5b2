import { clock } from '../kernel/clock.ts';
import { debugLine, log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import type { Webhook } from '../models/Webhook.ts';
import { liveSecrets } from '../services/webhooks/webhookSecrets.ts';
import type { MadeAttempt } from './attempt.ts';
import type { OurFault } from './outcome.ts';
import { type Addressed, requestHeaders } from './requestHeaders.ts';
import { type Sender, StoodStill } from './send.ts';
import { signatureHeader } from './signature.ts';

/** What is told of a delivery to its receiver. */
export interface Sending extends Addressed {
  /** Attempts that have ended. */
  attemptCount: number;
  requestBody: string;
}

/** Signs and sends a delivery, once. Never rejects: faults of ours are a result too. */
export async function makeAttempt(
  delivery: Sending,
  webhook: Pick<Webhook, 'id' | 'url' | 'secrets'>,
  sender: Sender,
): Promise<MadeAttempt | OurFault> {
  const attempt = delivery.attemptCount + 1;
  try {
    const { url } = webhook;
    const { requestBody: body } = delivery;
    const signature = signatureHeader(liveSecrets(webhook), body, Math.floor(clock.now() / 1000));
    const result = await sender.send({ url, headers: requestHeaders(delivery, attempt, signature), body });
    metrics.deliveryAttempts.inc({ result: result.error ?? 'ok' });
    const { statusCode: status, error, durationMs } = result;
    const { id, eventId: event, eventType: type } = delivery;
    debugLine(
      { delivery: id, webhook: webhook.id, event, type, attempt, status, error, durationMs },
      'webhook attempt',
    );
    return { ...result, url, signature };
  } catch (error) {
    if (error instanceof StoodStill)
      log.warn({ delivery: delivery.id }, `${error.message}; it is repeated and not counted`);
    else
      log.error({ err: error, delivery: delivery.id }, 'an attempt could not be made; it is repeated and not counted');
    return { kind: 'our_fault' };
  }
}
