import { expect } from 'chai';
import { queryRaw } from '../../../src/db/query.ts';
import { waitingWebhooks } from '../../../src/webhooks/worker/webhookLeases.ts';
import { automaticAttempts, type Moment, type Outcome } from './afterAttempt.ts';
import type { Model } from './Model.ts';
import type { ModelDelivery, ModelWebhook } from './modelTypes.ts';

type Row = Record<string, string | number | boolean | Date | null>;

const STATUS_CODES: Record<Outcome, number | null> = {
  ok: 204,
  fails: 500,
  hangs: null,
  busy: 503,
  gone: 410,
  our_fault: null,
};

/** Checks that the store is as the model says. Times that the product chose in a range are taken over into the model. */
export async function compare(model: Model): Promise<void> {
  const [webhooks, deliveries, attempts, alerts, waiting] = await Promise.all([
    queryRaw<Row>('SELECT * FROM webhooks', []),
    queryRaw<Row>('SELECT * FROM deliveries', []),
    queryRaw<Row>('SELECT delivery_id, number, manual, at, status_code FROM attempts ORDER BY number', []),
    queryRaw<Row>("SELECT webhook_id, resolved_at FROM alerts WHERE kind = 'webhook_disabled'", []),
    waitingWebhooks(),
  ]);
  const deliveryRows = new Map(deliveries.map((row) => [row.id, row]));
  const log = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
  const alive = model.webhooks.filter(({ isDeleted }) => !isDeleted);
  expect(deliveries.length, 'deliveries').to.equal(model.deliveries.length);
  for (const delivery of model.deliveries) {
    const row = deliveryRows.get(delivery.id);
    if (!row) throw new Error(`There is no delivery of ${delivery.event.id} to ${delivery.webhook.id}`);
    if (!delivery.webhook.isDeleted) compareDelivery(delivery, row, log.get(delivery.id) ?? [], model);
  }
  for (const webhook of alive) {
    const row = webhooks.find(({ id }) => id === webhook.id) as Row;
    const mine = alerts.filter(({ webhook_id }) => webhook_id === webhook.id);
    compareWebhook(webhook, row, mine);
    const isWaiting = model.isFree(webhook) && model.sendable(webhook, 1, 0).length > 0;
    expect(waiting.includes(webhook.id), `the sweep finds ${webhook.id}`).to.equal(isWaiting);
  }
}

function compareDelivery(delivery: ModelDelivery, row: Row, log: Row[], { settings, nowMs }: Model): void {
  delivery.nextAt = pinned(delivery.nextAt, row.next_attempt_at);
  delivery.dueAt = pinned(delivery.dueAt, row.due_at);
  const manual = delivery.log.filter((attempt) => attempt.manual).length;
  expect(
    {
      ...timesOf(row),
      status: row.status,
      count: row.attempt_count,
      manual: row.manual_attempts,
      resends: row.resends,
    },
    `delivery ${delivery.id} at ${nowMs}`,
  ).to.deep.equal({
    next_attempt_at: delivery.nextAt,
    due_at: delivery.dueAt,
    status: delivery.status,
    count: delivery.log.length,
    manual,
    resends: delivery.resends,
  });
  if (delivery.dueAt !== null) expect(row.queue, `queue of ${delivery.id}`).to.equal(delivery.queue);
  if (delivery.status === 'pending') expect(delivery.dueAt, 'pending, and never due').to.not.equal(null);
  expect(automaticAttempts(delivery), 'automatic attempts').to.be.at.most(settings.gaps.length + 1);
  expect(
    log.map((attempt) => [attempt.number, Boolean(attempt.manual), attempt.status_code, msOf(attempt.at as string)]),
    `log of ${delivery.id}`,
  ).to.deep.equal(delivery.log.map((one, at) => [at + 1, one.manual, STATUS_CODES[one.outcome], one.at]));
}

function compareWebhook(webhook: ModelWebhook, row: Row, alerts: Row[]): void {
  expect({
    status: row.status,
    reason: row.disabled_reason,
    circuit: row.circuit,
    failures: row.consecutive_failures,
    pause: row.probe_pause_seconds,
    nextProbeAt: msOf(row.next_probe_at),
    disabledAt: msOf(row.disabled_at),
    lane: row.lane === null ? null : { word: row.lane, until: msOf(row.lane_until) },
  }).to.deep.equal({
    status: webhook.status,
    reason: webhook.reason,
    circuit: webhook.circuit,
    failures: webhook.failures,
    pause: webhook.pause,
    nextProbeAt: webhook.nextProbeAt,
    disabledAt: webhook.disabledAt,
    lane: webhook.lane,
  });
  expect(alerts.length, 'alerts').to.equal(webhook.switchedOff);
  const open = alerts.filter(({ resolved_at }) => resolved_at === null).length;
  expect(open, 'open alerts').to.equal(webhook.reason === 'failures' || webhook.reason === 'gone' ? 1 : 0);
}

function timesOf({ next_attempt_at, due_at }: Row) {
  return { next_attempt_at: msOf(next_attempt_at), due_at: msOf(due_at) };
}

function pinned(moment: Moment | null, stored: Row[string] | undefined): number | null {
  if (moment === null || typeof moment === 'number') return moment;
  const at = msOf(stored);
  expect(at, 'the next attempt').to.be.within(moment.from, moment.to);
  return at;
}

function msOf(stored: Row[string] | undefined): number | null {
  return stored === null || stored === undefined ? null : new Date(stored as string).getTime();
}
