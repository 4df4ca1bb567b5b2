import * as s from './kinds.ts';

/** Rate limits and idempotency of the API. */
export const ACCESS_SETTINGS = {
  rateLimitPerMinute: s.integer('Requests per minute for each secret key.', 600, { min: 1 }),
  rateLimitPublishablePerMinute: s.integer('Requests per minute for each publishable key.', 6000, { min: 1 }),
  rateLimitPublishableAddressPerMinute: s.integer(
    'Requests per minute for each publishable key from one client address.',
    600,
    { min: 1 },
  ),
  rateLimitEventsPerMinute: s.integer('App events per minute for each publishable key.', 20_000, { min: 1 }),
  rateLimitAddressEventsPerMinute: s.integer(
    'App events per minute for each publishable key from one client address.',
    1000,
    { min: 1 },
  ),
  rateLimitInstallPerMinute: s.integer('Requests per minute for each install of an app.', 30, { min: 1 }),
  rateLimitAddressPerMinute: s.integer('Requests per minute from an address without a valid key.', 120, { min: 1 }),
  rateLimitRowsPerMinute: s.integer('Links per minute that each secret key may send in bulk calls.', 60_000, {
    min: 1000,
  }),
  rateLimitSessionPerMinute: s.integer('GraphQL requests per minute for each session.', 600, { min: 1 }),
  rateLimitPageReadsPerMinute: s.integer('Web pages per minute that are read for each team, to suggest titles.', 60, {
    min: 1,
  }),
  rateLimitWindowSeconds: s.integer('Length of the "minute" of these limits.', 60, { min: 1 }),
  idempotencySeconds: s.integer('How long a response is kept for retries with its Idempotency-Key.', 86_400, {
    min: 1,
  }),
  idempotencyMegabytes: s.integer(
    'Megabytes of responses stored for each key within IDEMPOTENCY_SECONDS; large ones are compressed.',
    1000,
    { min: 1 },
  ),
  idempotencyLeaseSeconds: s.integer(
    'If a process dies while it handles a request with an Idempotency-Key, a retry may run after this time; more than REQUEST_SECONDS.',
    90,
    { min: 1 },
  ),
};
