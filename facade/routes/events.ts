import type { Route } from './Route.ts';
import { EVENT, pageOf } from './selections.ts';

export const EVENT_ROUTES: Route[] = [
  {
    id: 'listEvents',
    call: 'events.list',
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'Events of the project in the last 30 days, newest first, in the same envelopes that webhooks receive. Use it to ' +
      'catch up after a receiver was down. Test events are not included. `created_after` is inclusive, ' +
      '`created_before` exclusive. `link_id` also accepts `ext_` and your own ID; a link that never existed has no ' +
      'events.',
    scope: 'events:read',
    document: `query ($projectId: ID!, $type: String, $linkId: ID, $createdAfter: DateTimeISO, $createdBefore: DateTimeISO,
        $limit: Int, $cursor: String) {
      events(projectId: $projectId, type: $type, linkId: $linkId, createdAfter: $createdAfter,
        createdBefore: $createdBefore, limit: $limit, cursor: $cursor) { ${pageOf(EVENT)} } }`,
    status: 200,
  },
  {
    id: 'streamEvents',
    call: 'events.stream',
    method: 'GET',
    path: '/events/stream',
    tag: 'Events',
    summary: 'Stream events',
    description:
      'Server-sent events: the events of the project as they are committed, each as `id: evt_…`, `event: <type>` and ' +
      '`data: <envelope>`, the same envelope that webhooks receive. Test events are not included. With `after`, or the ' +
      'header `Last-Event-ID` that clients of server-sent events send when they reconnect, it begins with what came ' +
      'after that event: at most 1,000, oldest first, then `event: skipped` with `{"count", "after"}` if there are more; ' +
      'another request with that `after` has them. Each event comes at least once: a few may repeat after a reconnect, so ' +
      'leave out ids that you know. `: alive` comes every 15 seconds. A client that reads nothing for 30 seconds is ' +
      'cut. The stream ends when the key does. A key has 5 streams at a time in each process, unless the installation ' +
      'says otherwise; one more gets `rate_limited`. A stream counts as one request. Clicks become events while a ' +
      'webhook or a stream wants them, and for ten minutes after.',
    scope: 'events:read',
    document: `query ($projectId: ID!, $types: String, $linkId: ID, $after: ID) {
      eventsSince(projectId: $projectId, types: $types, linkId: $linkId, after: $after) { data { ${EVENT} } skipped } }`,
    status: 200,
    answer: 'stream',
    mediaTypes: ['text/event-stream'],
    errors: ['not_found'],
  },
];
