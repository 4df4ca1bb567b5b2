import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { afterAttempt, type Health } from '../breaker.ts';
import { isOurFault } from '../outcome.ts';
import type { Finished } from './settle.ts';

/** The health of a receiver after one more attempt. Of a webhook it takes the health alone. */
export function judge(
  { status, circuit, consecutiveFailures, probePauseSeconds, nextProbeAt }: Health,
  { delivery, result }: Finished,
): Health {
  return afterAttempt(
    { status, circuit, consecutiveFailures, probePauseSeconds, nextProbeAt },
    {
      result: isOurFault(result) ? 'our_fault' : result.error === null ? 'success' : 'failure',
      counts: !delivery.isTest && !delivery.manual,
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
