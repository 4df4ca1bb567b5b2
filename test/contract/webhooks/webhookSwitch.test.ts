// stores: any
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { waitingWebhooks } from '../../../src/webhooks/worker/webhookLeases.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useSettings, useWorld } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';

type Respond = (response: ServerResponse) => void;
const ok: Respond = (response) => response.end();
const down: Respond = (response) => response.writeHead(500).end();

describe('switching webhooks off and on', () => {
  const world = useWorld();
  useSettings({ webhookRetrySeconds: [1, 1000] });
  let mine: Tenant;
  let api: Api;
  let receiver: Receiver;
  let answer: Respond = ok;

  before(async () => {
    receiver = await startReceiver((_, response) => answer(response));
    mine = await firstTenant(world);
    api = mine.api;
  });
  after(() => receiver.close());
  afterEach(() => {
    clock.reset();
    answer = ok;
  });

  const create = async (body: object = {}) =>
    (await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.created'], ...body })).body;

  const turn = async (id: string, word: 'enable' | 'disable') => {
    const { status, body } = await api('POST', `/webhooks/${id}/${word}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  const deliveries = async (id: string) => (await api('GET', `/webhooks/${id}/deliveries`)).body.data;
  const delivery = async (id: string) => (await api('GET', `/deliveries/${id}`)).body;
  const makeLink = () => api('POST', '/links', { destination: DESTINATION });

  it('is shown, and safe to repeat', async () => {
    const { secret: _, ...webhook } = await create();
    const off = await turn(webhook.id, 'disable');
    expect(off).to.deep.equal({
      ...webhook,
      status: 'disabled',
      disabled_reason: 'manual',
      updated_at: off.updated_at,
    });
    expect(await turn(webhook.id, 'disable')).to.deep.equal(off);
    expect((await api('GET', `/webhooks/${webhook.id}`)).body).to.deep.equal(off);
    const on = await turn(webhook.id, 'enable');
    expect(on).to.deep.equal({ ...webhook, updated_at: on.updated_at });
    expect(await turn(webhook.id, 'enable')).to.deep.equal(on);
  });

  it('on starts afresh, whatever it was off for; off keeps the reason that it has', async () => {
    const { id } = await create();
    const failing = { status: 'disabled', disabledReason: 'failures', consecutiveFailures: 20, circuit: 'open' };
    await inTransaction((transaction) => Webhook.update(failing, { where: { id }, transaction }));
    expect(await turn(id, 'disable')).to.include({ disabled_reason: 'failures', consecutive_failures: 20 });
    const fresh = { status: 'enabled', disabled_reason: null, consecutive_failures: 0, circuit: 'closed' };
    expect(await turn(id, 'enable')).to.include(fresh);
  });

  it('off gets no deliveries of events; PATCH works and does not switch it on', async () => {
    const [off, witness] = [await create(), await create()];
    await turn(off.id, 'disable');
    await makeLink();
    await until(async () => (await deliveries(witness.id)).length === 1, 'the delivery of another webhook');
    expect(await deliveries(off.id)).to.deep.equal([]);
    const { body } = await api('PATCH', `/webhooks/${off.id}`, { description: 'D' });
    expect(body).to.include({ status: 'disabled', disabled_reason: 'manual', description: 'D' });
    await turn(off.id, 'enable');
    await makeLink();
    const made = await until(async () => (await deliveries(off.id))[0], 'the delivery of the next event');
    expect((await deliveries(off.id)).length).to.equal(1);
    await receiver.waitFor(({ headers }) => headers['svc-delivery-id'] === made.id, 'its arrival');
  });

  it('off holds what is on its way, and on lets it go', async () => {
    let inHand: ServerResponse | undefined;
    let respond: Respond = (response) => {
      inHand = response;
    };
    const slow = await startReceiver((_, response) => respond(response));
    const { id } = await create({ url: slow.url });
    await makeLink();
    const first = await until(() => inHand, 'the first attempt');
    await turn(id, 'disable');
    respond = ok;
    down(first);
    const failed = await until(async () => (await deliveries(id)).find(hasFailedOnce), 'its failure');
    const due = Date.parse(failed.next_attempt_at);
    // Past the moment when the job of the second attempt is fetched.
    await until(() => Date.now() > due + 800, 'the second attempt to be due');
    expect(await delivery(failed.id)).to.deep.equal(failed);
    expect(await waitingWebhooks()).to.not.include(id);
    await turn(id, 'enable');
    const again = await slow.waitFor(
      ({ headers }) => headers['svc-delivery-id'] === failed.id && headers['svc-attempt'] === '2',
      'the second attempt',
    );
    expect(again.body).to.equal(failed.request_body);
    await until(async () => (await delivery(failed.id)).status === 'succeeded', 'its success');
    await slow.close();
  });

  it('off lets tests through, and their repeats', async () => {
    const { id } = await create();
    await turn(id, 'disable');
    answer = down;
    const { body: test } = await api('POST', `/webhooks/${id}/test`, { type: 'link.deleted' });
    await until(async () => (await delivery(test.id)).attempt_count === 2, 'the second attempt');
    // Its lane ends first; then it is the next attempt's moment alone that counts.
    await until(async () => (await Webhook.findByPk(id))?.lane === null, 'the end of its lane');
    const later = Date.now() + 2_000_000;
    clock.use({ now: () => later });
    expect(await waitingWebhooks()).to.include(id);
  });

  it('refuses bodies with fields, and webhooks of others', async () => {
    const { id } = await create();
    const theirs = await makeTenant(world, mine.teamId);
    for (const word of ['enable', 'disable']) {
      expectInvalid(await api('POST', `/webhooks/${id}/${word}`, { reason: 'x' }), 'reason');
      expectError(await theirs.api('POST', `/webhooks/${id}/${word}`), 404, 'not_found');
    }
    expect((await api('GET', `/webhooks/${id}`)).body.status).to.equal('enabled');
  });

  it('works by GraphQL, for team-wide webhooks too', async () => {
    const session = await ownerSession(world);
    const ask = async (document: string, variables: object) =>
      (await graphql(world.origin, document, { ...variables }, session)).data;
    const input = { teamId: mine.teamId, url: receiver.url };
    const { createWebhook } = await ask(
      'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }',
      { input },
    );
    const off = await ask('mutation ($id: ID!) { disableWebhook(id: $id) { status disabledReason } }', createWebhook);
    expect(off.disableWebhook).to.deep.equal({ status: 'disabled', disabledReason: 'manual' });
    const on = await ask('mutation ($id: ID!) { enableWebhook(id: $id) { status disabledReason } }', createWebhook);
    expect(on.enableWebhook).to.deep.equal({ status: 'enabled', disabledReason: null });
  });
});

function hasFailedOnce({ status, attempt_count }: { status: string; attempt_count: number }): boolean {
  return status === 'pending' && attempt_count === 1;
}
