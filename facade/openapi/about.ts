import { config } from '../../src/kernel/config.ts';

/** The description of each tag. */
export const TAGS: Record<string, string> = {
  Projects: 'The team and the projects that a key can see: their apps, default domain and matching.',
  Links: 'Short links and where they lead, one by one, up to a thousand at a time, and as files.',
  Tags: 'Labels of links, to find, count and subscribe to them.',
  Domains: 'Your own hosts for short links, and for pages that open your apps.',
  Imports: 'CSV files from this and other services, imported as jobs.',
  Analytics: 'Clicks, installs, app opens and app events, counted by time and dimension.',
  Apps: 'What apps send, with a publishable key in `X-SVC-Key`, below `/v1/sdk`.',
  Installs: 'Installs of your apps, and why a link was or was not matched to them.',
  Events: 'What happened in the last 30 days, as webhooks receive it.',
  Webhooks: 'Receivers of events, and the deliveries to them.',
  Keys: 'Secret keys for servers and publishable keys for apps.',
  Alerts: 'Problems that need attention.',
  Health: 'Checks of everything that links need to work.',
  Document: 'This description of the API, for programs.',
};

/** How the API works, in Markdown. */
export function aboutApi(): string {
  return `Requests and responses are JSON in UTF-8 with \`snake_case\` names. An absent value is \`null\`; fields are never omitted. Times are ISO 8601 in UTC, durations are in seconds. Unknown body fields and query parameters are refused, except below \`/v1/sdk\`, where they are ignored because old versions of apps stay in use.

## Keys
Send \`Authorization: Bearer sk_live_…\`. A secret key belongs to one project, and its scopes limit what it may do. Objects of other projects and teams are reported like objects that do not exist: 404. Apps send a publishable key, \`X-SVC-Key: pk_live_…\`, to \`/v1/sdk\`, where secret keys are refused.

## Errors
\`{"error": {"code", "message", "request_id", "doc_url"}}\`. Programs should read \`code\`; \`message\` is for people; \`doc_url\` explains the code and what to do. \`validation_failed\` has \`fields\`, which lists every invalid field. Each operation lists its codes by status. A method that a path does not have gets 405 \`method_not_allowed\` with \`Allow\`.

## Pagination
Lists take \`limit\` (1 to 100, default 50) and \`cursor\`, and return \`{"data": […], "next_cursor": "…"}\`. On the last page \`next_cursor\` is null. A cursor is only valid for the same filters and sort. Reading all pages returns every row that existed at the start exactly once.

## Rate limits
${config.rateLimitPerMinute} requests per ${config.rateLimitWindowSeconds} seconds for each secret key; ${config.rateLimitPublishablePerMinute} for each publishable key, of which ${config.rateLimitPublishableAddressPerMinute} from one address and ${config.rateLimitInstallPerMinute} from one install. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` report the current state. Further requests get 429 \`rate_limited\` with \`Retry-After\` in seconds; an app open gets a response without a match instead.
App events are counted individually: ${number(config.rateLimitEventsPerMinute)} in the same time for a publishable key, of which ${number(config.rateLimitAddressEventsPerMinute)} from one address, and ${number(config.sdkEventsPerDay)} per UTC day for a project. A call that exceeds a limit is refused as a whole. A project may get ${number(config.sdkInstallsPerDay)} new installs per UTC day. Installs that have never reported an open are counted separately from those that have.

## What a publishable key proves
It is part of your app, so anyone can read it: it identifies the project, not the sender. App opens and events can be forged, with any \`install_id\`, link and value. \`guaranteed\` means that a match was not guessed: the sender had the URL of the link or the token of a click. A token is signed, can be used once, and is only valid for its project; nothing proves that a real device or person sent it. App events and installs come from apps only, so base payments on your own orders and not on these figures. Several limits keep forged figures small: values above the project's \`max_event_value\` are outliers and are left out of sums; event names beyond ${number(config.eventNamesPerProject)} per project are counted as \`other\`; and opens of previously unknown installs do not count towards \`click_limit\`. \`DELETE /installs/{id}\` removes an install from all app figures.

## Idempotency
Every POST except those of apps accepts an \`Idempotency-Key\` of your choice. For ${config.idempotencySeconds / 3600} hours a retry with the same key and the same request gets the first response, with \`Idempotency-Replayed: true\`, and nothing is done twice. The same key with a different request gets 422 \`idempotency_key_reused\`; while the first request is running, 409 \`idempotency_in_progress\`. Errors that occur before anything is done (an invalid key or body, a rate limit) are not stored.

## Dry run
\`?dry_run=true\` on an operation that writes answers what would happen, with \`SVC-Dry-Run: true\`, and keeps nothing: no change, no event, no audit entry, no stored \`Idempotency-Key\`. Everything is really tried in a transaction that is rolled back, so conflicts, refused destinations and limits are those of the real call. Ids in the answer are not kept. A dry run needs the same scope and counts against the rate limit. Operations that reach outside or start a job (verifying a domain, health checks, tests, resends and replays of webhooks) refuse it with 422; imports have a dry run of their own.

## Requests that take too long
After ${config.requestSeconds} seconds a request is cancelled with 503 \`unavailable\`: nothing was changed, and nothing will be. If the store was already committing, the message says that the effect is unknown; a retry with the same \`Idempotency-Key\` finds out. A body that has not arrived in that time gets 408 \`request_timeout\`; files of imports have ${config.uploadSeconds} seconds.

## Webhooks
Each delivery is signed: \`SVC-Signature: t=<unix seconds>,v1=<hex>\`, the HMAC-SHA256 of \`<t>.<raw body>\` with the whole secret as key. After a rotation there is a \`v1\` for each active secret. Any 2xx within ${config.webhookTimeoutSeconds} seconds is a success. Interim responses (1xx) are ignored. ${repeats()} The body is the same on every attempt, and \`SVC-Event-Id\` identifies duplicates: an event is delivered at least once, and not always in order (see \`created_at\`). Redirects are not followed.
After ${config.webhookCircuitAfter} consecutive failures the circuit opens: deliveries wait, and one probe at a time is sent until one succeeds. After ${config.webhookDisableAfter} failures, or at once when it responds with 410, the webhook is disabled and an alert is created; its deliveries are held for ${Math.round(config.webhookHeldSeconds / 3600)} hours. Tests and resends are sent regardless. Events that a receiver missed can be sent again with \`replay\`, or read from \`/events\`.
A webhook with \`batch\` gets its events together, in one signed request with \`{"type": "batch", "events": […]}\` and \`SVC-Event-Type: batch\`: as soon as \`max_events\` of a project wait, or one has waited for \`max_wait_seconds\`. A request has at most a megabyte, or one event. It is one delivery, which is repeated as a whole with the same bytes; its \`SVC-Event-Id\` is the id of the delivery. Replays of events without a delivery come in batches too. Tests, and deliveries from before \`batch\` was set, are single events.
At most \`max_in_flight\` requests to a webhook are made at once.

## Sizes
Bodies may have up to 256 KiB, or 64 KiB below \`/v1/sdk\`, unless the operation says otherwise; larger ones get 413 \`payload_too_large\`.

## Changes and deprecation
New operations, fields, error codes and event types may appear at any time: clients should ignore what they do not know. Anything that will be removed is marked \`deprecated\` in this document at least six months before. A breaking change gets a path other than \`/api/v1\`; webhooks keep the \`api_version\` with which they were created.`;
}

/** What happens after a failed delivery attempt. */
function repeats(): string {
  const attempts = config.webhookRetrySeconds.length + 1;
  if (attempts === 1) return 'Failed deliveries are not retried.';
  return `Anything else is retried, up to ${attempts} attempts in total; \`Retry-After\` (429, 503) can lengthen a delay.`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
