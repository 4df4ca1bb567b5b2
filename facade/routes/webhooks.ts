import type { Route } from './Route.ts';
import { DELIVERY, pageOf, WEBHOOK } from './selections.ts';

const tag = 'Webhooks';

export const WEBHOOK_ROUTES: Route[] = [
  {
    id: 'listWebhooks',
    call: 'webhooks.list',
    method: 'GET',
    path: '/webhooks',
    tag,
    summary: 'List webhooks',
    description: 'Webhooks of the project of the key. Team-wide webhooks are not included.',
    scope: 'webhooks:read',
    document: `query ($projectId: ID, $externalId: String, $managedBy: String, $limit: Int, $cursor: String) {
      webhooks(projectId: $projectId, externalId: $externalId, managedBy: $managedBy, limit: $limit, cursor: $cursor) { ${pageOf(WEBHOOK)} } }`,
    status: 200,
  },
  {
    id: 'createWebhook',
    call: 'webhooks.create',
    danger: 'reveals',
    rehearses: true,
    method: 'POST',
    path: '/webhooks',
    tag,
    summary: 'Create a webhook',
    description:
      'Without `scope`, it receives the events of the project of the key. `secret` signs its deliveries. With `batch`, ' +
      'events are sent together.',
    scope: 'webhooks:write',
    document: `mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { ${WEBHOOK} secret } }`,
    status: 201,
    secret: true,
    errors: ['conflict'],
  },
  {
    id: 'getWebhook',
    call: 'webhooks.get',
    method: 'GET',
    path: '/webhooks/{id}',
    tag,
    summary: 'Get a webhook',
    scope: 'webhooks:read',
    document: `query ($id: ID!) { webhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'updateWebhook',
    call: 'webhooks.update',
    rehearses: true,
    method: 'PATCH',
    path: '/webhooks/{id}',
    tag,
    summary: 'Change a webhook',
    description:
      'Each field in the body is replaced as a whole. `scope: null` sets the scope to the whole project. `batch: null` ' +
      'sends events one by one from now on, those too that wait.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: UpdateWebhookInput!) { updateWebhook(id: $id, input: $input) { ${WEBHOOK} } }`,
    status: 200,
    errors: ['conflict'],
  },
  {
    id: 'deleteWebhook',
    call: 'webhooks.delete',
    danger: 'deletes',
    rehearses: true,
    method: 'DELETE',
    path: '/webhooks/{id}',
    tag,
    summary: 'Delete a webhook',
    description: 'Pending deliveries are not sent. The deliveries of the webhook are deleted with it.',
    scope: 'webhooks:write',
    document: 'mutation ($id: ID!) { deleteWebhook(id: $id) }',
    status: 204,
  },
  {
    id: 'getWebhookSecret',
    call: 'webhooks.secret',
    danger: 'reveals',
    method: 'GET',
    path: '/webhooks/{id}/secret',
    tag,
    summary: 'Get the secret of a webhook',
    description: 'The webhook with its newest secret, whose signature comes first.',
    scope: 'webhooks:write',
    document: `query ($id: ID!) { webhookSecret(id: $id) { ${WEBHOOK} secret } }`,
    status: 200,
    secret: true,
  },
  {
    id: 'rotateWebhookSecret',
    call: 'webhooks.rotateSecret',
    danger: 'reveals',
    rehearses: true,
    method: 'POST',
    path: '/webhooks/{id}/rotate_secret',
    tag,
    summary: 'Rotate the secret of a webhook',
    description:
      'Returns a new `secret`, whose signature comes first. Earlier secrets keep signing for ' +
      '`expire_previous_seconds`, but not longer than they would have otherwise; with 0 they end at once. A webhook ' +
      'has at most three valid secrets: 409 `conflict` for a rotation that would add a fourth. The body is optional.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: RotateSecretInput!) {
      rotateWebhookSecret(id: $id, input: $input) { ${WEBHOOK} secret } }`,
    status: 200,
    secret: true,
    errors: ['conflict'],
  },
  {
    id: 'enableWebhook',
    call: 'webhooks.enable',
    danger: 'sends',
    rehearses: true,
    method: 'POST',
    path: '/webhooks/{id}/enable',
    tag,
    summary: 'Enable a webhook',
    description:
      'Clears `disabled_reason` and `consecutive_failures` and closes the circuit. Waiting deliveries are sent, except ' +
      'those that have waited for more than 72 hours, which become `cancelled`. Safe to repeat: an enabled webhook is ' +
      'unchanged.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { enableWebhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'disableWebhook',
    call: 'webhooks.disable',
    danger: 'stops',
    rehearses: true,
    method: 'POST',
    path: '/webhooks/{id}/disable',
    tag,
    summary: 'Disable a webhook',
    description:
      'Sets `disabled_reason` to `manual`. New events create no deliveries for it, and pending deliveries wait for up ' +
      'to 72 hours. Tests and resends are still sent. Safe to repeat: a disabled webhook keeps its reason.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { disableWebhook(id: $id) { ${WEBHOOK} } }`,
    status: 200,
  },
  {
    id: 'testWebhook',
    call: 'webhooks.test',
    danger: 'sends',
    method: 'POST',
    path: '/webhooks/{id}/test',
    tag,
    summary: 'Send a sample event',
    description:
      'Sends a realistic sample of the event type with `test: true` to this webhook only, even if it is disabled.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: TestWebhookInput!) { testWebhook(id: $id, input: $input) { ${DELIVERY} } }`,
    status: 202,
  },
  {
    id: 'replayWebhook',
    call: 'webhooks.replay',
    danger: 'sends',
    method: 'POST',
    path: '/webhooks/{id}/replay',
    tag,
    summary: 'Replay a range of events',
    description:
      'Selects events by `created_at`: `since` is inclusive and at most 30 days ago; `until` is exclusive, and ' +
      'defaults to now, as does a time in the future. `failed` (the default) makes one more attempt, marked `manual`, ' +
      'for each failed or cancelled delivery; if it fails, it is not retried. `missing` creates deliveries for events ' +
      'that match the current settings of the webhook but have no delivery, such as those that occurred while it was ' +
      'disabled; to a webhook with `batch` they are sent in batches. A batch is selected by its newest event. `all` does both, repeats successful deliveries, and sends pending ones sooner. `count` is the number ' +
      'of deliveries and of events without one; they are sent after all new ones. 409 `conflict` while the webhook is disabled.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!, $input: ReplayInput!) { replayWebhook(id: $id, input: $input) { count } }`,
    status: 202,
    errors: ['conflict'],
  },
  {
    id: 'listDeliveries',
    call: 'deliveries.list',
    method: 'GET',
    path: '/webhooks/{webhook_id}/deliveries',
    tag,
    summary: 'List the deliveries of a webhook',
    description: '`request_body` is null for batches, which may have a megabyte each: get such a delivery by itself.',
    scope: 'webhooks:read',
    document: `query ($webhookId: ID!, $status: DeliveryStatus, $eventType: String, $createdAfter: DateTimeISO,
        $createdBefore: DateTimeISO, $limit: Int, $cursor: String) {
      deliveries(webhookId: $webhookId, status: $status, eventType: $eventType, createdAfter: $createdAfter,
        createdBefore: $createdBefore, limit: $limit, cursor: $cursor) { ${pageOf(DELIVERY)} } }`,
    status: 200,
  },
  {
    id: 'getDelivery',
    call: 'deliveries.get',
    method: 'GET',
    path: '/deliveries/{id}',
    tag,
    summary: 'Get a delivery with its attempts',
    scope: 'webhooks:read',
    document: `query ($id: ID!) { delivery(id: $id) { ${DELIVERY} } }`,
    status: 200,
  },
  {
    id: 'resendDelivery',
    call: 'deliveries.resend',
    danger: 'sends',
    method: 'POST',
    path: '/deliveries/{id}/resend',
    tag,
    summary: 'Resend a delivery',
    description:
      'Makes one more attempt of the same delivery at once, with the same event ID and body, marked `manual`, even if ' +
      'the webhook is disabled or its circuit is open. If it fails, it is not retried and does not count against the ' +
      'webhook; if it succeeds, pending retries end. 409 `conflict` when ten resends of the delivery are waiting.',
    scope: 'webhooks:write',
    document: `mutation ($id: ID!) { resendDelivery(id: $id) { ${DELIVERY} } }`,
    status: 202,
    errors: ['conflict'],
  },
];
