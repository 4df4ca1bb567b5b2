import { clock } from '../kernel/clock.ts';
import { debugLine, log } from '../kernel/log.ts';
import { metrics } from '../kernel/metrics.ts';
import { inSpan, type SpanOptions } from '../kernel/tracing.ts';
import type { Webhook } from '../models/Webhook.ts';
import type { MadeAttempt, OurFault } from './decideOutcome.ts';
import { type Addressed, bodiesOf } from './deliveryBodies.ts';
import { requestHeaders, signatureHeader } from './requestHeaders.ts';
import { liveSecrets } from './secretService.ts';
import { ProcessPaused, type Sender } from './send.ts';

/** The parts of a delivery that an attempt needs. */
export interface Sending extends Addressed {
  /** Finished attempts. */
  attemptCount: number;
}

/** Signs and sends a delivery once. Never rejects: a fault of ours is a result too. */
export async function makeAttempt(
  delivery: Sending,
  webhook: Pick<Webhook, 'id' | 'url' | 'secrets'>,
  sender: Sender,
): Promise<MadeAttempt | OurFault> {
  const attempt = delivery.attemptCount + 1;
  try {
    const { url } = webhook;
    const body = delivery.requestBody ?? (await bodiesOf([delivery])).get(delivery.id);
    if (body === undefined) throw new Error('The events of the delivery are gone');
    const signature = signatureHeader(liveSecrets(webhook), body, Math.floor(clock.now() / 1000));
    const headers = requestHeaders(delivery, attempt, signature);
    const result = await inSpan('webhook attempt', spanOf(delivery, webhook.id), async (describe) => {
      const made = await sender.send({ url, headers, body });
      const failure = made.error ? { 'error.type': made.error } : {};
      describe({ ...failure, ...(made.statusCode ? { 'http.response.status_code': made.statusCode } : {}) });
      return made;
    });
    metrics.deliveryAttempts.inc({ result: result.error ?? 'ok' });
    const { statusCode: status, error, durationMs } = result;
    const { id, eventId: event, eventType: type } = delivery;
    debugLine(
      { delivery: id, webhook: webhook.id, event, type, attempt, status, error, durationMs },
      'webhook attempt',
    );
    return { ...result, url, signature };
  } catch (error) {
    if (error instanceof ProcessPaused)
      log.warn({ delivery: delivery.id }, `${error.message}; the attempt is repeated and not counted`);
    else
      log.error(
        { err: error, delivery: delivery.id },
        'a webhook attempt could not be made; it is repeated and not counted',
      );
    return { kind: 'our_fault' };
  }
}

function spanOf(delivery: Sending, webhookId: string): SpanOptions {
  const attempt = delivery.attemptCount + 1;
  return {
    kind: 'client',
    attributes: { 'svc.delivery_id': delivery.id, 'svc.webhook_id': webhookId, 'svc.attempt': attempt },
  };
}
