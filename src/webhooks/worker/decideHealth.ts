import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { afterAttempt, type Health } from '../breaker.ts';
import { isOurFault } from '../outcome.ts';
import type { Finished } from './settle.ts';

/** RFC 9110: gone, and likely for good. */
const GONE = 410;

/**
 * The health of a receiver after these attempts, in the order in which they ended. One that was given out before the
 * webhook got its URL, or was enabled, says nothing of the receiver that it has now.
 */
export function judgeAll(webhook: Webhook, finished: Finished[]): Health {
  const { status, disabledReason, circuit, consecutiveFailures, probePauseSeconds, nextProbeAt } = webhook;
  return finished
    .filter(({ delivery }) => delivery.generation === webhook.generation)
    .reduce<Health>(judge, { status, disabledReason, circuit, consecutiveFailures, probePauseSeconds, nextProbeAt });
}

function judge(health: Health, { delivery, result }: Finished): Health {
  return afterAttempt(
    health,
    {
      result: isOurFault(result) ? 'our_fault' : result.error === null ? 'success' : 'failure',
      counts: !delivery.isTest && !delivery.manual,
      isGone: !isOurFault(result) && result.statusCode === GONE,
      isProbe: delivery.isProbe,
    },
    {
      circuitAfter: config.webhookCircuitAfter,
      probeSeconds: config.webhookProbeSeconds,
      probeMaxSeconds: config.webhookProbeMaxSeconds,
      disableAfter: config.webhookDisableAfter,
      nowMs: clock.now(),
    },
  );
}
