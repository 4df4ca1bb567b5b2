import type { Route } from '../route.ts';
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
];
