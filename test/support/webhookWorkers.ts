import { inTransaction } from '../../src/db/transactions.ts';
import { type NewEvent, recordEvents } from '../../src/events/recordEvent.ts';
import { clock } from '../../src/kernel/clock.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Attempt } from '../../src/models/Attempt.ts';
import { Delivery } from '../../src/models/Delivery.ts';
import { Webhook } from '../../src/models/Webhook.ts';
import { planDeliveries } from '../../src/webhooks/deliveryStore.ts';
import { sampleEvent } from '../../src/webhooks/samples.ts';
import { sealSecrets } from '../../src/webhooks/secretService.ts';
import { WebhookWorkers } from '../../src/webhooks/worker/WebhookWorkers.ts';
import { makeProject } from './clicks.ts';
import { ScriptedSender } from './scriptedSender.ts';
import { until } from './until.ts';

/** What several processes would have, in this one: workers that know nothing of each other, each with its own sender. */
export class Processes {
  /** How far the clock of all is ahead. */
  aheadMs = 0;
  readonly #started: { workers: WebhookWorkers; sender: ScriptedSender }[] = [];

  useClock(): void {
    this.aheadMs = 0;
    clock.use({ now: () => Date.now() + this.aheadMs });
  }

  /** With `hangs` its requests end when they are told to. */
  start({ hangs = false, maxInFlight = 500 } = {}) {
    const sender = new ScriptedSender();
    sender.hangs = () => hangs;
    const workers = new WebhookWorkers(sender, maxInFlight);
    this.#started.push({ workers, sender });
    return { workers, sender };
  }

  /** One whose only slot a webhook that hangs has, so that `webhook` gets none; three deliveries of it are claimed. */
  async startFull(webhook: Webhook) {
    const { workers, sender } = this.start({ maxInFlight: 1 });
    const hanging = await makeWebhook();
    sender.hangs = (url) => url === hanging.url;
    await makeDeliveries(hanging, 1);
    runWorker(workers, hanging);
    await until(() => sender.hanging.length === 1, 'the slot to be taken');
    await makeDeliveries(webhook, 3);
    runWorker(workers, webhook);
    await until(async () => (await deliveriesOf(webhook)).every(({ claim }) => claim !== null), 'claims');
    return { workers, sender, sent: () => sender.sent.filter(({ url }) => url === webhook.url).length };
  }

  async stop(): Promise<void> {
    for (const { sender } of this.#started) sender.answerAll();
    await Promise.all(this.#started.splice(0).map(({ workers }) => workers.stop()));
    clock.reset();
  }
}

/** Starts the worker of a webhook, and leaves it running. */
export function runWorker(workers: WebhookWorkers, { id }: Webhook): Promise<Date | null> {
  const ended = workers.run(id);
  ended.catch(() => {});
  return ended;
}

/** A webhook of a team of its own, whose URL is like no other's. */
export async function makeWebhook(): Promise<Webhook> {
  const { id: projectId, teamId } = await makeProject();
  const id = newId('whk');
  const secrets = sealSecrets(id, [{ secret: 'whsec_1', expiresAt: null }]);
  const common = { projectId, teamId, eventTypes: ['*'], apiVersion: '2026-11-01', secrets };
  const row = { ...common, id, url: `https://example.com/${id}` };
  return inTransaction((transaction) => Webhook.create(row, { transaction }));
}

/** Deliveries that are due. */
export async function makeDeliveries(webhook: Webhook, count: number): Promise<void> {
  const { teamId, projectId } = webhook;
  const { type, data } = sampleEvent('link.created', { projectId: projectId as string });
  const event = { type, data, teamId, projectId } as NewEvent;
  await inTransaction(async (transaction) => {
    const events = await recordEvents(
      transaction,
      Array.from({ length: count }, () => event),
    );
    await planDeliveries(
      events.map((one) => ({ event: one, webhook })),
      transaction,
    );
  });
}

export function deliveriesOf({ id }: Webhook): Promise<Delivery[]> {
  return Delivery.findAll({ where: { webhookId: id }, order: [['id', 'ASC']] });
}

/** How many deliveries have each status. */
export async function statusesOf(webhook: Webhook): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const { status } of await deliveriesOf(webhook)) statuses[status] = (statuses[status] ?? 0) + 1;
  return statuses;
}

/** The log of all deliveries: `number:status code`, in any order. */
export async function logOf(webhook: Webhook): Promise<string[]> {
  const ids = (await deliveriesOf(webhook)).map(({ id }) => id);
  const attempts = await Attempt.findAll({ where: { deliveryId: ids } });
  return attempts.map(({ number, statusCode }) => `${number}:${statusCode}`);
}
