import type { Route } from '../Route.ts';
import { DELIVERY, pageOf, WEBHOOK } from '../selections.ts';

const tag = 'Webhooks';

export const WEBHOOK_ROUTES: Route[] = [
  {
    id: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    tag,
    summary: 'List webhooks',
    description: 'Webhooks of the project of the key; team-wide ones are not shown.',
    scope: 'webhooks:read',
    document: `query ($projectId: ID, $limit: Int, $cursor: String) {
      webhooks(projectId: $projectId, limit: $limit, cursor: $cursor) { ${pageOf(WEBHOOK)} } }`,
    status: 200,
  },
  {
    id: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    tag,
    summary: 'Create a webhook',
    description: 'Without `scope` it gets the events of the project of the key. `secret` signs its deliveries.',
    scope: 'webhooks:write',
    document: `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { ${WEBHOOK} secret } }`,
    status: 201,
    secret: true,
  },
  {
    id: 'getWebhook',
    method: 'GET',
    path: '/webhooks/{id}',
    tag,
    summary: 'One webhook',
    scope: 'webhooks:read',
    document: `query ($id: ID!) { webhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'updateWebhook',
    method: 'PATCH',
    path: '/webhooks/{id}',
    tag,
    summary: 'Change a webhook',
    description: 'Each field that is sent is replaced whole. `scope: null` gives it the whole project.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/{id}',
    tag,
    summary: 'Delete a webhook',
    description: 'What is on its way to it is given up; its deliveries are deleted with it.',
    scope: 'webhooks:write',
    document: 'mutation ($id: ID!) { deleteWebhook(id: $id) }',
    status: 204,
  },
  {
    id: 'getWebhookSecret',
    method: 'GET',
    path: '/webhooks/{id}/secret',
    tag,
    summary: 'The secret of a webhook',
    description: 'The webhook with the secret that signs first, which is the newest.',
    scope: 'webhooks:write',
    document: `query ($id: ID!) { webhookSecret(id: $id) { ${WEBHOOK} secret } }`,
    status: 200,
    secret: true,
  },
  {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: '/webhooks/{id}/rotate_secret',
    tag,
    summary: 'Rotate the secret of a webhook',
    description:
      'Answers with a new `secret`, whose signature comes first; the secrets before sign beside it for ' +
      '`expire_previous_seconds`, none longer than it would have anyway, and with 0 not at all. At most three are live at ' +
      'once: 409 `conflict` for a rotation that would make a fourth. The body may be left out.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: RotateSecretInput!) {
      rotateWebhookSecret(id: $id, input: $input) { ${WEBHOOK} secret } }`,
    status: 200,
    secret: true,
    errors: ['conflict'],
  },
  {
    id: 'enableWebhook',
    method: 'POST',
    path: '/webhooks/{id}/enable',
    tag,
    summary: 'Enable a webhook',
    description:
      'Clears `disabled_reason` and `consecutive_failures` and closes the circuit; what has waited goes out, unless it has ' +
      'waited for more than 72 hours: then it is `cancelled`. Safe to repeat: an enabled webhook stays as it is.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { enableWebhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'disableWebhook',
    method: 'POST',
    path: '/webhooks/{id}/disable',
    tag,
    summary: 'Disable a webhook',
    description:
      '`disabled_reason` is `manual`. Events make no deliveries for it, and those on their way wait, for 72 hours at most; ' +
      'tests and resends still go out. ' +
      'Safe to repeat: a disabled webhook keeps its reason.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { disableWebhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'testWebhook',
    method: 'POST',
    path: '/webhooks/{id}/test',
    tag,
    summary: 'Send a sample event',
    description:
      'A realistic sample of that type with `test: true` goes to this webhook alone, also while it is disabled.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: TestWebhookInput!) { testWebhook(id: $id, input: $input) { ${DELIVERY} } }`,
    status: 202,
  },
  {
    id: 'replayWebhook',
    method: 'POST',
    path: '/webhooks/{id}/replay',
    tag,
    summary: 'Send a range of events again',
    description:
      'Over events by their `created_at`: `since` inclusive, at most 30 days ago, `until` exclusive, unset or in the ' +
      'future: now. `failed` (the default) gives deliveries that ended without success, cancelled ones among them, one ' +
      'more attempt, marked `manual`, whose failure schedules nothing; `missing` makes deliveries for events that the ' +
      'webhook wants as it is now and that have none, such as those raised while it was disabled; `all` does both, ' +
      'repeats what has succeeded, and brings forward what is on its way. `count` says how many deliveries that is; they ' +
      'are sent behind everything that is new. 409 `conflict` while the webhook is disabled.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: ReplayInput!) { replayWebhook(id: $id, input: $input) { count } }`,
    status: 202,
    errors: ['conflict'],
  },
  {
    id: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries',
    tag,
    summary: 'List the deliveries of a webhook',
    scope: 'webhooks:read',
    document: `query ($webhookId: ID!, $status: String, $eventType: String, $createdAfter: DateTimeISO,
        $createdBefore: DateTimeISO, $limit: Int, $cursor: String) {
      deliveries(webhookId: $webhookId, status: $status, eventType: $eventType, createdAfter: $createdAfter,
        createdBefore: $createdBefore, limit: $limit, cursor: $cursor) { ${pageOf(DELIVERY)} } }`,
    status: 200,
  },
  {
    id: 'getDelivery',
    method: 'GET',
    path: '/deliveries/{id}',
    tag,
    summary: 'One delivery with its attempts',
    scope: 'webhooks:read',
    document: `query ($id: ID!) { delivery(id: $id) { ${DELIVERY} } }`,
    status: 200,
  },
  {
    id: 'resendDelivery',
    method: 'POST',
    path: '/deliveries/{id}/resend',
    tag,
    summary: 'Send a delivery once more',
    description:
      'One more attempt on the same delivery at once, with the same event id and body, marked `manual`; also to a webhook ' +
      'that is disabled or whose circuit is open. Its failure schedules nothing and does not count against the webhook; ' +
      'its success ends pending retries. 409 `conflict` when ten resends of the delivery are waiting.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { resendDelivery(id: $id) { ${DELIVERY} } }`,
    status: 202,
    errors: ['conflict'],
  },
];
