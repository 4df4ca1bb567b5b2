// stores: any
import { expect } from 'chai';
import { purgeOld } from '../../../jobs/purgeOld.ts';
import { queryRaw } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Delivery } from '../../../src/models/Delivery.ts';
import { Event } from '../../../src/models/Event.ts';
import { Project } from '../../../src/models/Project.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { bodiesOf } from '../../../src/webhooks/deliveryBodies.ts';
import { eraseFromBatches } from '../../../src/webhooks/deliveryStore.ts';
import { fanOut } from '../../../src/webhooks/fanOut.ts';
import { missingEvents } from '../../../src/webhooks/missingEvents.ts';
import { planEvents } from '../../../src/webhooks/planEvents.ts';
import { formBatches } from '../../../src/webhooks/worker/formBatches.ts';
import { waitingWebhooks } from '../../../src/webhooks/worker/webhookLeases.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type OpenStore, openStore } from '../../support/store.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { deliveriesOf, makeWebhook } from '../../support/webhookWorkers.ts';

const DAY_MS = 86_400_000;
const WAIT_SECONDS = 5;

describe('events that wait for a batch', () => {
  let store: OpenStore;
  let webhook: Webhook;
  let nowMs: number;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    // Ids of events have the time of the machine, whatever the clock says.
    nowMs = Date.now();
    clock.use({ now: () => nowMs });
    webhook = await makeWebhook();
    await change({ batchMaxEvents: 10, batchMaxWaitSeconds: WAIT_SECONDS, hasBatched: true });
  });
  afterEach(() => clock.reset());

  const change = (values: object) => inTransaction((transaction) => webhook.update(values, { transaction }));
  const run = <Row extends object>(sql: string, ...values: unknown[]) =>
    inTransaction((transaction) => queryRaw<Row>(sql, values, transaction));
  const raise = async (count: number, of: { teamId: string; projectId: string | null } = webhook) => {
    const ids = await raiseEvents(of, count);
    while ((await fanOut()).hasMore);
    return ids;
  };
  const form = () => inTransaction((transaction) => formBatches(webhook, transaction));
  const eventsIn = async (delivery: Delivery): Promise<string[]> => {
    const body = (await bodiesOf([delivery])).get(delivery.id) as string;
    return JSON.parse(body).events.map(({ id }: { id: string }) => id);
  };
  const sizes = async () => (await deliveriesOf(webhook)).map(({ eventCount }) => eventCount).sort();
  const waiting = async () =>
    (await run('SELECT 1 AS one FROM batched_events WHERE webhook_id = $1 AND delivery_id IS NULL', webhook.id)).length;

  it('make no delivery until they are enough or one has waited for long enough', async () => {
    const ids = await raise(9);
    expect(await form()).to.equal(nowMs + WAIT_SECONDS * 1000);
    expect([await sizes(), await waiting()]).to.deep.equal([[], 9]);
    nowMs += WAIT_SECONDS * 1000 - 1;
    await form();
    expect(await sizes()).to.deep.equal([]);
    expect(await waitingWebhooks()).to.not.include(webhook.id);
    nowMs += 1;
    expect(await waitingWebhooks()).to.include(webhook.id);
    expect(await form()).to.equal(null);
    const [delivery] = (await deliveriesOf(webhook)) as [Delivery];
    expect(delivery.get()).to.deep.include({
      ...{ eventId: delivery.id, eventType: 'batch', eventCount: 9, status: 'pending', projectId: webhook.projectId },
      ...{ isTest: false, attemptCount: 0, queue: 1, dueAt: new Date(nowMs) },
    });
    expect(await eventsIn(delivery)).to.deep.equal(ids.sort());
    expect(await waitingWebhooks()).to.include(webhook.id);
  });

  it('go at once in full batches; what is left waits for its own time', async () => {
    const first = await raise(1);
    nowMs += 1000;
    const others = await raise(24);
    expect(await form()).to.equal(nowMs + WAIT_SECONDS * 1000);
    expect([await sizes(), await waiting()]).to.deep.equal([[10, 10], 5]);
    const sent = await Promise.all((await deliveriesOf(webhook)).map(eventsIn));
    expect(sent.flat()).to.include(first[0]);
    expect(new Set(sent.flat()).size).to.equal(20);
    nowMs += WAIT_SECONDS * 1000;
    await form();
    const all = (await Promise.all((await deliveriesOf(webhook)).map(eventsIn))).flat();
    expect(all.sort()).to.deep.equal([...first, ...others].sort());
  });

  it('are of one project in each batch, where a webhook has all of a team', async () => {
    const { teamId } = webhook;
    await change({ projectId: null, batchMaxEvents: 1000 });
    const one = (await Project.findOne({ where: { teamId } }))?.id as string;
    const two = newId('prj');
    await inTransaction((transaction) => Project.create({ id: two, teamId, name: 'Other', apps: [] }, { transaction }));
    await raise(3, { teamId, projectId: one });
    await raise(4, { teamId, projectId: two });
    await raise(2, { teamId, projectId: null });
    nowMs += WAIT_SECONDS * 1000;
    await form();
    const made = (await deliveriesOf(webhook)).map(({ projectId, eventCount }) => [projectId, eventCount]);
    expect(made).to.have.deep.members([
      [one, 3],
      [two, 4],
      [null, 2],
    ]);
    for (const delivery of await deliveriesOf(webhook))
      expect(await eventsIn(delivery)).to.have.length(delivery.eventCount);
  });

  it('make no request of more than a megabyte, but for one event', async () => {
    const ids = await raise(4);
    const text = `"${'x'.repeat(400_000)}"`;
    await run(
      `UPDATE events SET data = '${JSON.stringify({ link: 1 }).replace('1', text)}' WHERE id IN ($1, $2, $3)`,
      ...ids.slice(0, 3),
    );
    await run('UPDATE batched_events SET bytes = 400300 WHERE event_id IN ($1, $2, $3)', ...ids.slice(0, 3));
    await form();
    expect(await sizes()).to.include(2);
    nowMs += WAIT_SECONDS * 1000;
    await form();
    const made = await deliveriesOf(webhook);
    const bodies = [...(await bodiesOf(made)).values()];
    expect(Math.max(...bodies.map((body) => Buffer.byteLength(body)))).to.be.within(800_000, 1024 * 1024);
    expect((await Promise.all(made.map(eventsIn))).flat().sort()).to.deep.equal(ids.sort());
  });

  it('are counted with the bytes that they really have', async () => {
    await raise(3);
    nowMs += WAIT_SECONDS * 1000;
    await form();
    const made = await deliveriesOf(webhook);
    const [body] = [...(await bodiesOf(made)).values()];
    const [row] = await run<{ bytes: number }>(
      'SELECT SUM(bytes) AS bytes FROM batched_events WHERE webhook_id = $1',
      webhook.id,
    );
    expect(Buffer.byteLength(body as string)).to.equal(Number(row?.bytes) + '{"type":"batch","events":[,,]}'.length);
  });

  it('are neither lost nor doubled when the transaction that makes a batch fails', async () => {
    const ids = await raise(10);
    await renameTable('deliveries', 'deliveries_away');
    const failed = await form().then(
      () => false,
      () => true,
    );
    await renameTable('deliveries_away', 'deliveries');
    expect([failed, await waiting()]).to.deep.equal([true, 10]);
    const rollsBack = inTransaction(async (transaction) => {
      await formBatches(webhook, transaction);
      throw new Error('killed');
    });
    await rollsBack.catch(() => {});
    expect([await sizes(), await waiting()]).to.deep.equal([[], 10]);
    await form();
    await form();
    const made = await deliveriesOf(webhook);
    expect(made).to.have.length(1);
    expect(await eventsIn(made[0] as Delivery)).to.deep.equal(ids.sort());
  });

  it('are sent one by one once batches are switched off, and none twice', async () => {
    const ids = await raise(7);
    await change({ batchMaxEvents: null, batchMaxWaitSeconds: null });
    const later = await raise(2);
    expect(await form()).to.equal(null);
    expect(await waiting()).to.equal(0);
    const made = await deliveriesOf(webhook);
    expect(made.map(({ eventId }) => eventId).sort()).to.deep.equal([...ids, ...later].sort());
    expect(new Set(made.map(({ eventType }) => eventType))).to.deep.equal(new Set(['link.created']));
  });

  it('make batches of the new size when it is changed', async () => {
    await raise(9);
    await change({ batchMaxEvents: 4 });
    await form();
    expect([await sizes(), await waiting()]).to.deep.equal([[4, 4], 1]);
  });

  it('become deliveries while the webhook is disabled, and are found by the sweep for that', async () => {
    await raise(3);
    await change({ status: 'disabled', disabledAt: new Date(nowMs) });
    nowMs += WAIT_SECONDS * 1000;
    expect(await waitingWebhooks()).to.include(webhook.id);
    await form();
    expect(await sizes()).to.deep.equal([3]);
    expect(await waitingWebhooks()).to.not.include(webhook.id);
  });

  it('go after everything new when they are replayed, in batches of their own', async () => {
    await change({ batchMaxEvents: 1000 });
    const replayed = await raiseEvents(webhook, 4);
    await run('UPDATE events SET fanned_out_at = created_at WHERE project_id = $1', webhook.projectId);
    const found = await Event.findAll({ where: { id: replayed } });
    await inTransaction((transaction) =>
      planEvents(
        found.map((event) => ({ event, webhook })),
        transaction,
        2,
      ),
    );
    await raise(3);
    nowMs += WAIT_SECONDS * 1000;
    await form();
    const made = (await deliveriesOf(webhook)).map(({ queue, eventCount }) => [queue, eventCount]);
    expect(made).to.have.deep.members([
      [1, 3],
      [2, 4],
    ]);
  });

  it('are not missing for a replay, neither while they wait nor in a batch', async () => {
    const [since, until] = [new Date(nowMs - 1000), new Date(nowMs + 60_000)];
    const missing = async () => (await missingEvents({ webhook, since, until }, null)).missing;
    await raise(10);
    await form();
    await raise(2);
    expect(await missing()).to.deep.equal([]);
    const [lost] = await raiseEvents(webhook, 1);
    await run('UPDATE events SET fanned_out_at = created_at WHERE id = $1', lost);
    expect(await missing()).to.deep.equal([lost]);
  });

  it('go again as soon as the clock was set back', async () => {
    await raise(1);
    nowMs -= DAY_MS;
    expect(await waitingWebhooks()).to.include(webhook.id);
    expect(await form()).to.equal(null);
    expect(await sizes()).to.deep.equal([1]);
  });

  it('are taken out of batches when they are erased, and a batch goes with its last one', async () => {
    const ids = (await raise(10)).sort();
    await form();
    const [two] = await raise(1);
    const erase = (erased: string[]) =>
      inTransaction(async (transaction) => {
        for (const id of erased) await queryRaw('DELETE FROM events WHERE id = $1', [id], transaction);
        await eraseFromBatches(erased, transaction);
      });
    await erase([ids[3] as string, two as string]);
    const [left] = (await deliveriesOf(webhook)) as [Delivery];
    expect(left.eventCount).to.equal(9);
    expect(await eventsIn(left)).to.deep.equal(ids.filter((_, at) => at !== 3));
    expect(await waiting()).to.equal(0);
    await erase(ids);
    expect(await deliveriesOf(webhook)).to.deep.equal([]);
  });

  it('are kept for as long as a delivery has them, and go after it', async () => {
    const ids = await raise(12);
    await form();
    nowMs += 29 * DAY_MS;
    // Two that waited go now, and are kept for as long as that.
    await form();
    const purge = () => purgeOld(new AbortController().signal);
    const kept = async () => ({
      events: await Event.count({ where: { id: ids } }),
      places: (await run('SELECT 1 AS one FROM batched_events WHERE webhook_id = $1', webhook.id)).length,
      deliveries: (await deliveriesOf(webhook)).length,
    });
    await run('UPDATE deliveries SET status = $1, due_at = NULL WHERE webhook_id = $2', 'succeeded', webhook.id);
    // On PostgreSQL a partition of events goes as a whole, up to an eighth of the retention later.
    nowMs += 6 * DAY_MS;
    await purge();
    expect(await kept()).to.deep.equal({ events: 2, places: 2, deliveries: 1 });
    expect(await eventsIn((await deliveriesOf(webhook))[0] as Delivery)).to.have.length(2);
    nowMs += 34 * DAY_MS;
    await purge();
    expect(await kept()).to.deep.equal({ events: 0, places: 0, deliveries: 0 });
  });

  it('go with their webhook', async () => {
    await raise(12);
    await form();
    await change({ deletedAt: new Date(nowMs) });
    await purgeOld(new AbortController().signal);
    expect(await waiting()).to.equal(0);
    expect(await Webhook.unscoped().count({ where: { id: webhook.id } })).to.equal(0);
    nowMs += 35 * DAY_MS;
    await purgeOld(new AbortController().signal);
    expect(await run('SELECT 1 AS one FROM batched_events WHERE webhook_id = $1', webhook.id)).to.deep.equal([]);
  });
});
