import type { Route } from '../Route.ts';
import { EVENT, pageOf } from '../selections.ts';

export const EVENT_ROUTES: Route[] = [
  {
    id: 'listEvents',
    method: 'GET',
    path: '/events',
    tag: 'Events',
    summary: 'List events',
    description:
      'What happened in the project in the last 30 days, as the envelopes that webhooks get, newest first: what a receiver ' +
      'that was down reconciles from. Samples that were sent by hand are not among them. `created_after` is inclusive, ' +
      '`created_before` exclusive. `link_id` also takes `ext_` and your own id; a link that there never was has no events.',
    scope: 'events:read',
    document: `query ($projectId: ID!, $type: String, $linkId: ID, $createdAfter: DateTimeISO, $createdBefore: DateTimeISO,
        $limit: Int, $cursor: String) {
      events(projectId: $projectId, type: $type, linkId: $linkId, createdAfter: $createdAfter,
        createdBefore: $createdBefore, limit: $limit, cursor: $cursor) { ${pageOf(EVENT)} } }`,
    status: 200,
  },
];
