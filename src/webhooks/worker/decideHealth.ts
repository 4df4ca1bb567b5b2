import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import type { Webhook } from '../../models/Webhook.ts';
import { afterAttempt, type Health } from '../decideCircuit.ts';
import { isOurFault } from '../decideOutcome.ts';
import type { FinishedAttempt } from './applyAttempts.ts';

/** RFC 9110: gone, and likely for good. */
const GONE = 410;

/**
 * The health of a receiver after these attempts, in the order in which they ended. One that was given out before the
 * webhook got its URL, or was enabled, says nothing of the receiver that it has now.
 */
export function decideHealth(webhook: Webhook, finished: FinishedAttempt[]): Health {
  const { status, disabledReason, circuit, consecutiveFailures } = webhook;
  const { probePauseSeconds, nextProbeAt, circuitOpenedAt } = webhook;
  return finished
    .filter(({ delivery }) => delivery.generation === webhook.generation)
    .reduce<Health>(healthAfter, {
      status,
      disabledReason,
      circuit,
      consecutiveFailures,
      probePauseSeconds,
      nextProbeAt,
      circuitOpenedAt,
    });
}

function healthAfter(health: Health, { delivery, result }: FinishedAttempt): Health {
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
