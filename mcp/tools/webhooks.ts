import { carryOut, endOf } from '../change.ts';
import type { Hazard } from '../decideHazards.ts';
import type { Asked, Json } from '../parts.ts';
import { refuse, ToolRefusal, tamed } from '../results.ts';
import type { Ran, Tool } from '../tool.ts';
import type { ToolCall } from '../toolCall.ts';
import { deliveryView, noticed, pageView, webhookView } from '../views.ts';
import { CURSOR, IDEMPOTENCY_KEY, limitOf, REPEATED } from './arguments.ts';

/** Replays of more deliveries are confirmed. */
const MANY_DELIVERIES = 100;

/** Webhooks, their deliveries, and the events behind them. */
export const WEBHOOK_TOOLS: Tool[] = [
  {
    name: 'list_webhooks',
    toolset: 'webhooks',
    description: 'Webhooks of the project and how they do.',
    operations: ['listWebhooks'],
    does: 'reads',
    arguments: { limit: limitOf(10, 50), cursor: CURSOR },
    async run(call) {
      const page = await call.ask('listWebhooks', { query: pageOf(call) });
      return { value: pageView(page, webhookView, 'a smaller limit') };
    },
  },
  {
    name: 'list_deliveries',
    toolset: 'webhooks',
    description: 'Deliveries of a webhook, newest first, each with its last attempt.',
    operations: ['listDeliveries'],
    does: 'reads',
    arguments: {
      webhook_id: { type: 'string' },
      ...Object.fromEntries(
        'status event_type created_after created_before'.split(' ').map((name) => [name, `listDeliveries.${name}`]),
      ),
      limit: limitOf(10, 50),
      cursor: CURSOR,
    },
    required: ['webhook_id'],
    async run(call) {
      const query = { ...call.query('status', 'event_type', 'created_after', 'created_before'), ...pageOf(call) };
      const page = await call.ask('listDeliveries', { path: { webhook_id: String(call.args.webhook_id) }, query });
      return { value: noticed(pageView(page, deliveryView, 'status, event_type or created_after')) };
    },
  },
  {
    name: 'list_events',
    toolset: 'webhooks',
    description: 'What happened in the last 30 days, newest first, as webhooks receive it.',
    operations: ['listEvents'],
    does: 'reads',
    arguments: {
      ...Object.fromEntries(
        'type link_id created_after created_before'.split(' ').map((name) => [name, `listEvents.${name}`]),
      ),
      limit: limitOf(10, 50),
      cursor: CURSOR,
    },
    async run(call) {
      const query = { ...call.query('type', 'link_id', 'created_after', 'created_before'), ...pageOf(call) };
      const page = await call.ask('listEvents', { query });
      return { value: noticed(pageView(page, (event) => tamed(event) as Json, 'type, link_id or created_after')) };
    },
  },
  {
    name: 'test_webhook',
    toolset: 'webhooks',
    description: 'Sends a sample event to a webhook and tells how it went.',
    operations: ['testWebhook'],
    does: 'writes',
    isOpenWorld: true,
    arguments: {
      id: { type: 'string', description: 'Of the webhook' },
      type: 'testWebhook.type',
      idempotency_key: IDEMPOTENCY_KEY,
    },
    required: ['id', 'type'],
    async run(call) {
      const { id, type } = call.args as { id: string; type: string };
      const asked = { path: { id }, body: { type } };
      const changed = await carryOut(call, {
        operation: 'testWebhook',
        asked,
        records: 1,
        what: `Send a test to ${id}`,
      });
      return { value: noticed({ delivery: deliveryView(changed.body), ...endOf(changed) }) };
    },
  },
  {
    name: 'resend',
    toolset: 'webhooks',
    description: 'Sends one delivery again (delivery_id), or what a webhook missed since a time (webhook_id, since).',
    operations: ['resendDelivery', 'replayWebhook'],
    does: 'writes',
    isOpenWorld: true,
    arguments: {
      delivery_id: { type: 'string' },
      webhook_id: { type: 'string' },
      ...Object.fromEntries('since until status'.split(' ').map((name) => [name, `replayWebhook.${name}`])),
      idempotency_key: IDEMPOTENCY_KEY,
      confirm: REPEATED,
    },
    run: resend,
  },
];

const MANY: Hazard = {
  danger: 'sends',
  why: `sends more than ${MANY_DELIVERIES} deliveries again, or as many as there are`,
};

/** What speaks against a replay: that it sends more than is done without asking. What cannot be counted first counts as many. */
export async function replayHazards(call: ToolCall, { path, body }: Asked): Promise<Hazard[]> {
  const { since, until, status = 'failed' } = (body ?? {}) as Record<string, string | undefined>;
  if (status !== 'failed') return [MANY];
  const query = {
    status: 'failed',
    limit: String(MANY_DELIVERIES),
    ...(since ? { created_after: since } : {}),
    ...(until ? { created_before: until } : {}),
  };
  const page = await call.tryOut('listDeliveries', { path: { webhook_id: String(path?.id) }, query });
  if (!page.ok && page.refusal.code === 'not_found') throw new ToolRefusal(page.refusal);
  return page.ok && (page.body as { next_cursor: string | null }).next_cursor === null ? [] : [MANY];
}

async function resend(call: ToolCall): Promise<Ran> {
  const { delivery_id: delivery, webhook_id: webhook } = call.args as { delivery_id?: string; webhook_id?: string };
  if ((delivery === undefined) === (webhook === undefined)) {
    refuse('validation_failed', 'Give either delivery_id, or webhook_id and since.');
  }
  if (delivery !== undefined) {
    const asked = { path: { id: delivery } };
    const changed = await carryOut(call, {
      operation: 'resendDelivery',
      asked,
      records: 1,
      what: `Send ${delivery} again`,
    });
    return { value: noticed({ delivery: deliveryView(changed.body), ...endOf(changed) }) };
  }
  const { since, until, status } = call.args as Record<string, string | undefined>;
  const asked = {
    path: { id: webhook as string },
    body: { since, ...(until ? { until } : {}), ...(status ? { status } : {}) },
  };
  const what = `Send ${status ?? 'failed'} deliveries of ${webhook} since ${since} again`;
  const changed = await carryOut(call, {
    operation: 'replayWebhook',
    asked,
    records: 1,
    what,
    hazards: await replayHazards(call, asked),
  });
  return { value: { ...changed.body, ...endOf(changed) } };
}

function pageOf(call: ToolCall): Record<string, string> {
  return { limit: call.text('limit') ?? '10', ...call.query('cursor') };
}
