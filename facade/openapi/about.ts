import { config } from '../../src/kernel/config.ts';

/** What each group of operations is about. */
export const TAGS: Record<string, string> = {
  Projects: 'The team and the projects that a key sees: their apps, default domain and matching.',
  Links: 'Short links: where they lead whom, singly, in lists of a thousand and in files.',
  Tags: 'Names that links carry, to find, count and subscribe to them by.',
  Domains: 'Hosts of your own for short links, and for pages that open your apps.',
  Imports: 'CSV files from here and from other services, taken in as jobs.',
  Analytics: 'Clicks, installs, openings and events of apps, counted by time and dimension.',
  Apps: 'What apps ask and tell, with a publishable key in `X-SVC-Key`, below `/v1/sdk`.',
  Installs: 'Installs of your apps, and why a link was or was not found for them.',
  Events: 'What happened in the last 30 days, as receivers were told it.',
  Webhooks: 'Receivers of events, what is delivered to them, and how it went.',
  Keys: 'Keys for servers (secret) and for apps (publishable).',
  Alerts: 'What people should look at.',
  Health: 'Checks of all that links need to work.',
  Document: 'This description of the API, for programs.',
};

/** How the API works, in Markdown. */
export function aboutApi(): string {
  return `JSON in and out, in UTF-8 and \`snake_case\`. No value is \`null\`; no field is missing. Times are ISO 8601 in UTC, durations seconds. Unknown body fields and query parameters are refused; below \`/v1/sdk\`, where old apps ask, they are passed over.

## Keys
\`Authorization: Bearer sk_live_…\`. A key belongs to one project and does what its scopes say. Things of other projects and teams are answered like things that do not exist: 404. Apps send \`X-SVC-Key: pk_live_…\`, a publishable key, to \`/v1/sdk\`; a secret key is refused there.

## Errors
\`{"error": {"code", "message", "request_id", "doc_url"}}\`. Programs read \`code\`, people \`message\`; \`doc_url\` leads to what the code means and what to do. \`validation_failed\` has \`fields\`, which list every bad field. Each operation names its codes by status. A method that a path does not have is 405 \`method_not_allowed\` with \`Allow\`.

## Pagination
Lists take \`limit\` (1 to 100, 50 if nothing is said) and \`cursor\`, and answer \`{"data": […], "next_cursor": "…"}\`. The last page has \`next_cursor: null\`. A cursor is good for the same filters and sort alone. A walk gives every row that was there at its start once.

## Rate limits
${config.rateLimitPerMinute} requests in ${config.rateLimitWindowSeconds} seconds for each secret key, ${config.rateLimitPublishablePerMinute} for each publishable key, of them ${config.rateLimitPublishableAddressPerMinute} from one address and ${config.rateLimitInstallPerMinute} of one install. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell where you are. Beyond that: 429 \`rate_limited\`, with \`Retry-After\` in seconds; an app that is opened gets an answer without a match instead.
Events of apps are counted one by one: ${number(config.rateLimitEventsPerMinute)} in the same time for a publishable key, of them ${number(config.rateLimitAddressEventsPerMinute)} from one address, and ${number(config.sdkEventsPerDay)} in a UTC day for a project. A call that does not fit is refused whole. A project gets ${number(config.sdkInstallsPerDay)} new installs in a UTC day. Installs that have never told of an opening are counted apart from those that have.

## What a publishable key proves
It is in your app, so anybody has it: it says which project is meant, not who speaks. Openings and events can be made up, with any \`install_id\`, link and value. \`guaranteed\` means that a match was not guessed: whoever opened the app brought the link's URL or the token of a click. A token is signed, good once and for its own project; that a real device or person brought it, nothing proves. Events and installs come from apps alone, so what money depends on, take from your own orders, not from these figures. To keep made-up figures small: values beyond the project's \`max_event_value\` are outliers, in no sum; event names beyond ${number(config.eventNamesPerProject)} of a project are counted as \`other\`; and openings of installs that were not known before use up no \`click_limit\`. \`DELETE /installs/{id}\` takes an install out of all figures of apps.

## Idempotency
Any POST but those of apps takes an \`Idempotency-Key\` of your making. For ${config.idempotencySeconds / 3600} hours a repeat with the same key and the same request gets the first answer, with \`Idempotency-Replayed: true\`, and nothing is done twice. The same key for another request is 422 \`idempotency_key_reused\`; while the first is still at work, 409 \`idempotency_in_progress\`. What is refused before anything is done (a bad key, a bad body, a rate limit) is not kept.

## Requests that take too long
After ${config.requestSeconds} seconds a request is given up with 503 \`unavailable\`: nothing was changed, and nothing will be. Where the store was already committing, the message says that the effect is not known; a repeat with the same \`Idempotency-Key\` finds out. A body that has not arrived by then is 408 \`request_timeout\`; files of imports have ${config.uploadSeconds} seconds.

## Webhooks
Each delivery is signed: \`SVC-Signature: t=<unix seconds>,v1=<hex>\`, the HMAC-SHA256 of \`<t>.<raw body>\` under the whole secret; after a rotation there is a \`v1\` for each secret that is live. Any 2xx within ${config.webhookTimeoutSeconds} seconds is success. Interim answers (1xx) are passed over. ${repeats()} The body is the same on every attempt and \`SVC-Event-Id\` tells repeats: an event comes at least once, and not always in order (\`created_at\` has it). Redirects are not followed.
After ${config.webhookCircuitAfter} failures in a row the circuit opens: deliveries wait and one probe at a time goes out, until one succeeds. After ${config.webhookDisableAfter}, or at once when it answers 410, the webhook is switched off, with an alert; what is on its way waits for ${Math.round(config.webhookHeldSeconds / 3600)} hours. Tests and resends go out all the same. What a receiver missed is sent again by \`replay\`, or read from \`/events\`.

## Sizes
Bodies may have 256 KiB, below \`/v1/sdk\` 64 KiB, where nothing else is said; more is 413 \`payload_too_large\`.

## Changes and deprecation
New operations, fields, error codes and event types come at any time: let clients pass over what they do not know. What is to go is marked \`deprecated\` in this document at least six months before. A change that would break clients gets another path than \`/api/v1\`; webhooks stay on the \`api_version\` that they were made with.`;
}

/** What becomes of a delivery that failed. */
function repeats(): string {
  const attempts = config.webhookRetrySeconds.length + 1;
  if (attempts === 1) return 'Nothing is tried again.';
  return `Everything else is tried again, ${attempts} attempts in all; \`Retry-After\` (429, 503) can make a gap longer.`;
}

function number(value: number): string {
  return value.toLocaleString('en-US');
}
