// stores: any
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { Op } from '../../../src/db/sequelize.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { recordEvents } from '../../../src/events/recordEvent.ts';
import { config } from '../../../src/kernel/config.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { sampleEvent } from '../../../src/webhooks/samples.ts';
import { makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { startWorld, type World } from '../../support/world.ts';

describe('webhooks beside others that are busy or hang', () => {
  let world: World;
  let busy: Tenant;
  let neighbour: Tenant;
  let stranger: Tenant;
  let hanging: Receiver;
  let healthy: Receiver;
  let held: ServerResponse[];
  let settings: typeof config;

  before(async () => {
    // Longer than any test: what hangs hangs to its end.
    world = await startWorld({
      WEBHOOK_TIMEOUT_SECONDS: '60',
      WEBHOOK_CIRCUIT_AFTER: '0',
    });
    settings = { ...config };
  });
  after(() => world.stop());
  beforeEach(async () => {
    held = [];
    [hanging, healthy] = await Promise.all([startReceiver((_, response) => held.push(response)), startReceiver()]);
    busy = await makeTenant(world);
    neighbour = await makeTenant(world, busy.teamId);
    stranger = await makeTenant(world);
  });
  afterEach(async () => {
    for (const { api } of [busy, neighbour, stranger]) {
      for (const { id } of (await api('GET', '/webhooks')).body.data) await api('DELETE', `/webhooks/${id}`);
    }
    await Promise.all([hanging.close(), healthy.close()]);
    Object.assign(config, settings);
  });

  const isFor = (id: string | undefined) => (response: { event: { id: string } }) => response.event.id === id;

  it('get at most ten requests at once, however many wait', async () => {
    const hook = await makeHook(busy.api, { url: hanging.url });
    await raiseEvents(busy, 200);
    let most = 0;
    let answered = 0;
    while (answered < 200) {
      const full = Math.min(10, 200 - answered);
      await until(() => held.length >= full, `${full} requests at once`);
      // Time for one too many.
      await delay(20);
      most = Math.max(most, held.length);
      const some = held.splice(0, 7);
      answered += some.length;
      for (const response of some) response.end();
    }
    expect(most).to.equal(10);
    await until(
      async () => (await Delivery.count({ where: { webhookId: hook.id, status: 'succeeded' } })) === 200,
      'all',
    );
    expect(hanging.received.length).to.equal(200);
  });

  it('are not behind thousands of deliveries of a webhook that hangs, in its team or another', async () => {
    const hook = await makeHook(busy.api, { url: hanging.url });
    await raiseEvents(busy, 2000);
    await until(
      async () => (await Delivery.count({ where: { webhookId: hook.id } })) === 2000,
      'the deliveries',
      30_000,
    );
    await until(() => held.length === 10, 'ten that hang');
    const others: [Tenant, object?][] = [[busy, { event_types: ['link.deleted'] }], [neighbour], [stranger]];
    for (const [tenant, more] of others) {
      await makeHook(tenant.api, { url: healthy.url, ...more });
      const [id] = await raiseEvents(tenant, 1, more ? 'link.deleted' : 'link.created');
      await healthy.waitFor(isFor(id), 'an event beside them');
    }
    // All the time nothing came back from the one that hangs.
    expect([held.length, hanging.received.length]).to.deep.equal([10, 10]);
    expect(await Delivery.count({ where: { webhookId: hook.id, status: 'pending' } })).to.equal(2000);
  });

  it('are not behind thousands of events of another team of which no delivery was made yet', async () => {
    const hooks = [];
    while (hooks.length < 6) hooks.push(await makeHook(busy.api, { url: hanging.url }));
    const other = await makeHook(stranger.api, { url: healthy.url });
    await inTransaction(async (transaction) => {
      const sample = sampleEvent('link.created', { projectId: busy.projectId });
      await recordEvents(
        transaction,
        Array.from({ length: 1500 }, () => ({ ...sample, ...busy })),
      );
      await recordEvents(transaction, [{ ...sample, ...stranger }]);
    });
    const webhookId = hooks.map(({ id }) => id);
    await until(async () => (await Delivery.count({ where: { webhookId } })) === 9000, 'all of them', 60_000);
    await until(() => healthy.received.length === 1, 'the event of another team');
    const [delivery] = await Delivery.findAll({ where: { webhookId: other.id } });
    const later = { webhookId, createdAt: { [Op.gte]: delivery?.createdAt } };
    // It had its turn among the first, although it was raised last.
    expect(await Delivery.count({ where: later as never })).to.be.above(4500);
  }).timeout(90_000);

  it('have room beside forty that hang, of one team and of many', async () => {
    const others = await Promise.all(Array.from({ length: 8 }, () => makeTenant(world)));
    const tenants = [busy, neighbour, ...others];
    for (const tenant of tenants) {
      for (let hooks = 0; hooks < 4; hooks += 1) await makeHook(tenant.api, { url: hanging.url });
      await raiseEvents(tenant, 10);
    }
    const isAsked = () => hanging.received.length;
    await until(() => isAsked() >= 40, 'requests that hang', 30_000);
    for (const [about, tenant, type] of [
      ['of another team', stranger, 'link.created'],
      ['of the same team', busy, 'link.deleted'],
    ] as const) {
      await makeHook(tenant.api, { url: healthy.url, event_types: [type] });
      for (const id of await raiseEvents(tenant, 3, type)) await healthy.waitFor(isFor(id), `a healthy one ${about}`);
    }
    expect(held.length).to.be.at.least(40).and.to.equal(isAsked());
    for (const { api } of others) {
      for (const { id } of (await api('GET', '/webhooks')).body.data) await api('DELETE', `/webhooks/${id}`);
    }
  }).timeout(90_000);
});
