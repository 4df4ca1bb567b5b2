import * as s from './kinds.ts';

/** Events and their delivery to webhooks. */
export const WEBHOOK_SETTINGS = {
  eventRetentionDays: s.integer(
    'Days for which events are listed. Those in deliveries are kept for as long as these.',
    30,
    { min: 1 },
  ),
  webhookTimeoutSeconds: s.integer('Timeout of one delivery attempt, from connecting to the last byte.', 10, {
    min: 1,
    max: 60,
  }),
  webhookDnsMilliseconds: s.integer('Timeout of the DNS lookup within that.', 5000, { min: 1 }),
  webhookRetrySeconds: s.integers(
    'Delays between the attempts of a delivery; there is one more attempt than delays. none: a single attempt.',
    [15, 60, 300, 1200, 3600, 7200, 14_400, 23_400, 36_000],
    { orNone: true },
  ),
  webhookCircuitAfter: s.integer(
    'Consecutive failed attempts after which a webhook gets only one probe at a time; 0: never.',
    5,
  ),
  webhookProbeSeconds: s.integer('Delay before the first probe; it doubles after each failed one.', 15, { min: 1 }),
  webhookProbeMaxSeconds: s.integer('Longest delay between probes.', 1800, { min: 1 }),
  webhookDisableAfter: s.integer('Consecutive failed attempts after which a webhook is disabled; 0: never.', 20),
  webhookHeldSeconds: s.integer('How long deliveries of a disabled webhook are held.', 259_200, { min: 1 }),
  webhookMaxInFlight: s.integer(
    'Concurrent requests to webhooks per process. A webhook gets more than ten only while half of them are free.',
    500,
    { min: 10 },
  ),
  webhookSweepSeconds: s.integer('How often webhooks with overdue deliveries are looked for.', 5, { min: 1 }),
  deliveryRetentionDays: s.integer('Days for which deliveries and their attempts are kept.', 30, { min: 1 }),
};
