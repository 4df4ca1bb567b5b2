import type { Route } from './Route.ts';
import { ALERT, pageOf } from './selections.ts';

const tag = 'Alerts';

export const ALERT_ROUTES: Route[] = [
  {
    id: 'listAlerts',
    call: 'alerts.list',
    method: 'GET',
    path: '/alerts',
    tag,
    summary: 'List alerts',
    description: 'Alerts of the project of the key, newest first. Alerts of the whole team are not included.',
    scope: 'alerts:read',
    document: `query ($projectId: ID, $kind: AlertKind, $status: AlertStatus, $limit: Int, $cursor: String) {
      alerts(projectId: $projectId, kind: $kind, status: $status, limit: $limit, cursor: $cursor) { ${pageOf(ALERT)} } }`,
    status: 200,
  },
  {
    id: 'acknowledgeAlert',
    call: 'alerts.acknowledge',
    rehearses: true,
    method: 'POST',
    path: '/alerts/{id}/acknowledge',
    tag,
    summary: 'Acknowledge an alert',
    description: 'Marks the alert as seen. Safe to repeat: the first time is kept.',
    scope: 'alerts:write',
    document: `mutation ($id: ID!) { acknowledgeAlert(id: $id) { ${ALERT} } }`,
    status: 200,
  },
];
