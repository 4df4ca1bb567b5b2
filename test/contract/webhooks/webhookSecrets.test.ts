// stores: any
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { constructEvent } from '../../../sdk/webhooks/index.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { joinWorld, type World } from '../../support/world.ts';

const URL_TAKEN = 'http://127.0.0.1:9999/hook';
const NEW_SECRET = /^whsec_[A-Za-z0-9_-]{43}$/;

describe('secrets of webhooks', () => {
  let world: World;
  let mine: Tenant;
  let api: Api;
  let receiver: Receiver;

  before(async () => {
    [world, receiver] = await Promise.all([joinWorld(), startReceiver()]);
    mine = await firstTenant(world);
    api = mine.api;
  });
  after(() => Promise.all([world.stop(), receiver.close()]));
  afterEach(() => clock.reset());

  const create = async (url = URL_TAKEN) => (await api('POST', '/webhooks', { url })).body;
  const rotate = (id: string, body?: object) => api('POST', `/webhooks/${id}/rotate_secret`, body);

  const rotated = async (id: string, seconds?: number) => {
    const { status, body } = await rotate(id, seconds === undefined ? undefined : { expire_previous_seconds: seconds });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.secret as string;
  };

  /** The queue of deliveries runs by the time of its store: what is to be over by then is done in the past. */
  const secondsAgo = async <Result>(seconds: number, act: () => Promise<Result>): Promise<Result> => {
    const then = Date.now() - seconds * 1000;
    clock.use({ now: () => then });
    const result = await act();
    clock.reset();
    return result;
  };

  const deliver = async (id: string) => {
    const { body } = await api('POST', `/webhooks/${id}/test`, { type: 'link.created' });
    return receiver.waitFor(({ headers }) => headers['svc-delivery-id'] === body.id, 'the delivery');
  };

  it('are shown with the webhook at creation, by GET …/secret and at rotation', async () => {
    const created = await create();
    expect((await api('GET', `/webhooks/${created.id}/secret`)).body).to.deep.equal(created);
    const { status, body } = await rotate(created.id, { expire_previous_seconds: 60 });
    expect(status).to.equal(200);
    expect(body).to.deep.include({ ...created, secret: body.secret, updated_at: body.updated_at });
    expect(body.secret).to.match(NEW_SECRET).and.not.equal(created.secret);
    expect((await api('GET', `/webhooks/${created.id}/secret`)).body).to.deep.equal(body);
  });

  it('sign a delivery each, the newest first', async () => {
    const { id, secret: first } = await create(receiver.url);
    expect(signers(await deliver(id), [first])).to.deep.equal([first]);
    const second = await rotated(id);
    const third = await rotated(id, 3600);
    const both = await deliver(id);
    expect(signers(both, [first, second, third])).to.deep.equal([third, second, first]);
    for (const secret of [first, second, third]) {
      const event = constructEvent(both.body, String(both.headers['svc-signature']), secret);
      expect(event.id).to.equal(both.event.id);
    }
  });

  it('live a day beside the new one unless something else is said, also without a body', async () => {
    for (const [said, seconds, live] of [
      [undefined, 86_400 - 60, 2],
      [undefined, 86_400, 1],
      [3600, 3600 - 60, 2],
      [3600, 3600, 1],
    ] as const) {
      const { id, secret: first } = await create(receiver.url);
      const second = await secondsAgo(seconds, () => rotated(id, said));
      expect(signers(await deliver(id), [first, second])).to.deep.equal([second, first].slice(0, live));
    }
  });

  it('end at once with 0 seconds, all that there were', async () => {
    const { id, secret: first } = await create(receiver.url);
    const second = await rotated(id);
    const third = await rotated(id, 0);
    expect(signers(await deliver(id), [first, second, third])).to.deep.equal([third]);
  });

  it('409 for a fourth that would live, saying when it is possible; 0 seconds are', async () => {
    const { id } = await create();
    const start = Date.now();
    clock.use({ now: () => start });
    await rotated(id, 600);
    const third = await rotated(id);
    for (const body of [undefined, {}, { expire_previous_seconds: 1 }]) {
      const reply = await rotate(id, body);
      expectError(reply, 409, 'conflict');
      const seconds = body && 'expire_previous_seconds' in body ? 1 : 600;
      expect(reply.body.error.message).to.include(new Date(start + seconds * 1000).toISOString());
    }
    expect((await api('GET', `/webhooks/${id}/secret`)).body.secret).to.equal(third);
    clock.use({ now: () => start + 600_000 });
    await rotated(id);
    expectError(await rotate(id), 409, 'conflict');
    await rotated(id, 0);
    await rotated(id);
  });

  it('let no two rotations at once make a fourth', async () => {
    const { id } = await create();
    const replies = await Promise.all(Array.from({ length: 5 }, () => rotate(id)));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 200, 409, 409, 409]);
  });

  it('422 for seconds out of range', async () => {
    const { id } = await create();
    for (const expire_previous_seconds of [-1, 86_401, 1.5, '60', null]) {
      expectInvalid(await rotate(id, { expire_previous_seconds }), 'expire_previous_seconds');
    }
    expectInvalid(await rotate(id, { secret: 'whsec_mine' }), 'secret');
  });

  it('404 for webhooks of others and of the whole team', async () => {
    const theirs = await makeTenant(world, mine.teamId);
    const { id } = await create();
    const mutation = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const input = { teamId: mine.teamId, url: URL_TAKEN };
    const { data } = await graphql(world.origin, mutation, { input }, await ownerSession(world));
    for (const [caller, webhook] of [
      [theirs.api, id],
      [api, data.createWebhook.id],
      [api, newId('whk')],
    ] as const) {
      expectError(await caller('GET', `/webhooks/${webhook}/secret`), 404, 'not_found');
      expectError(await caller('POST', `/webhooks/${webhook}/rotate_secret`), 404, 'not_found');
    }
  });

  it('are repeated by an Idempotency-Key instead of rotated again', async () => {
    const { id } = await create();
    const options = { headers: { 'Idempotency-Key': 'rotate once' } };
    const [first, second] = [
      await api('POST', `/webhooks/${id}/rotate_secret`, {}, options),
      await api('POST', `/webhooks/${id}/rotate_secret`, {}, options),
    ];
    expect(second.body).to.deep.equal(first.body);
    expect(second.headers.get('idempotency-replayed')).to.equal('true');
    expect((await api('GET', `/webhooks/${id}/secret`)).body.secret).to.equal(first.body.secret);
  });

  it('are nothing for viewers, and stored encrypted', async () => {
    const { id, secret } = await create();
    const query = 'query ($id: ID!) { webhookSecret(id: $id) { id secret } }';
    const rotation = 'mutation ($id: ID!) { rotateWebhookSecret(id: $id, input: {}) { secret } }';
    const viewer = await memberSession(world, mine.teamId, 'viewer');
    for (const document of [query, rotation]) {
      const { errors } = await graphql(world.origin, document, { id }, viewer);
      expect(errors?.[0]?.extensions.code).to.equal('insufficient_scope');
    }
    const member = await memberSession(world, mine.teamId, 'member');
    expect((await graphql(world.origin, query, { id }, member)).data.webhookSecret).to.deep.equal({ id, secret });
    const { data } = await graphql(world.origin, rotation, { id }, member);
    const { secrets } = await Webhook.findByPk(id, { rejectOnEmpty: true });
    expect(secrets).to.not.include(secret).and.not.include(data.rotateWebhookSecret.secret);
  });
});

/** Which of the secrets made each signature of a delivery, in their order. */
function signers({ headers, body }: Received, secrets: string[]): (string | undefined)[] {
  const [time = '', ...signatures] = String(headers['svc-signature']).split(',');
  const t = time.replace('t=', '');
  const hmac = (secret: string) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex');
  return signatures.map((signature) => secrets.find((secret) => signature === `v1=${hmac(secret)}`));
}
