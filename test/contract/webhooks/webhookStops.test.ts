// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { verifySignature } from '../../../sdk/webhooks/index.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { type Hook, makeHook } from '../../support/makeHook.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

/** Answered at once; the ten after them hang. */
const QUICK = 60;

describe('a change of a webhook with deliveries on their way', () => {
  const world = useOwnWorld({ WEBHOOK_TIMEOUT_SECONDS: '60' });
  let mine: Tenant;
  let receiver: Receiver;
  let other: Receiver;
  let held: ServerResponse[];
  let isHanging: boolean;
  let isDown: boolean;
  let hook: Hook;
  beforeEach(async () => {
    held = [];
    isHanging = true;
    isDown = false;
    receiver = await startReceiver((_, response) => {
      if (isHanging && receiver.received.length > QUICK) held.push(response);
      else response.writeHead(isDown ? 500 : 200).end();
    });
    other = await startReceiver();
    mine = await makeTenant(world);
    hook = await makeHook(mine.api, { url: receiver.url });
    await raiseEvents(mine, 200);
    await until(() => held.length === 10, 'ten that hang');
  });
  afterEach(async () => {
    await mine.api('DELETE', `/webhooks/${hook.id}`);
    await Promise.all([receiver.close(), other.close()]);
  });

  const letGo = () => {
    isHanging = false;
    for (const response of held) response.end();
  };
  const inHand = async () => 200 - (await Delivery.count({ where: { webhookId: hook.id, claim: null } }));

  it('when it is deleted nothing more goes out', async () => {
    expect((await mine.api('DELETE', `/webhooks/${hook.id}`)).status).to.equal(204);
    letGo();
    await makeHook(mine.api, { url: other.url });
    const [id] = await raiseEvents(mine, 1);
    await other.waitFor(({ event }) => event.id === id, 'an event of another webhook');
    expect(receiver.received.length).to.equal(QUICK + 10);
  });

  it('when it is disabled nothing more goes out; what waits is pending', async () => {
    expect((await hook.act('disable')).status).to.equal(200);
    letGo();
    await until(async () => (await inHand()) === 0, 'the end of what was under way');
    expect(receiver.received.length).to.equal(QUICK + 10);
    expect((await hook.deliveries({ status: 'pending' })).length).to.equal(200 - QUICK - 10);
  });

  it('when it gets another URL nothing more goes to the old one', async () => {
    expect((await mine.api('PATCH', `/webhooks/${hook.id}`, { url: other.url })).status).to.equal(200);
    letGo();
    await until(async () => (await hook.deliveries({ status: 'succeeded' })).length === 200, 'all');
    expect([receiver.received.length, other.received.length]).to.deep.equal([QUICK + 10, 200 - QUICK - 10]);
  });

  it('when it gets another URL what fails late at the old one is not held against it', async () => {
    await mine.api('PATCH', `/webhooks/${hook.id}`, { url: other.url });
    isHanging = false;
    isDown = true;
    for (const response of held) response.writeHead(500).end();
    await until(async () => (await inHand()) === 0 && other.received.length > 0, 'deliveries to the new URL');
    expect(await hook.shown()).to.include({ circuit: 'closed', consecutive_failures: 0 });
  });

  it('when its secrets are replaced nothing more is signed with the old ones', async () => {
    const { body } = await hook.act('rotate_secret', { expire_previous_seconds: 0 });
    letGo();
    await until(() => receiver.received.length === 200, 'all');
    for (const { headers, body: bytes } of receiver.received.slice(QUICK + 10)) {
      verifySignature(bytes, headers['svc-signature'], body.secret);
    }
  });
});
