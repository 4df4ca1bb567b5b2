import type { Route } from '../Route.ts';
import { ALERT, pageOf } from '../selections.ts';

const tag = 'Alerts';

export const ALERT_ROUTES: Route[] = [
  {
    id: 'listAlerts',
    method: 'GET',
    path: '/alerts',
    tag,
    summary: 'List alerts',
    description: 'Alerts of the project of the key, newest first; those of the whole team are not shown.',
    scope: 'alerts:read',
    document: `query ($projectId: ID, $kind: String, $status: String, $limit: Int, $cursor: String) {
      alerts(projectId: $projectId, kind: $kind, status: $status, limit: $limit, cursor: $cursor) { ${pageOf(ALERT)} } }`,
    status: 200,
  },
  {
    id: 'acknowledgeAlert',
    method: 'POST',
    path: '/alerts/{id}/acknowledge',
    tag,
    summary: 'Acknowledge an alert',
    description: 'Says that somebody has seen it. Safe to repeat: the first time stays.',
    scope: 'alerts:write',
    document: `mutation ($id: ID!) { acknowledgeAlert(id: $id) { ${ALERT} } }`,
    status: 200,
  },
];
