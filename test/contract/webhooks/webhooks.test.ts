// stores: any
import { expect } from 'chai';
import { EVENT_TYPES } from '../../../src/events/catalogue.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Tag } from '../../../src/models/Tag.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
/** Nobody listens there. */
const URL_TAKEN = 'http://127.0.0.1:9999/hook';

describe('webhooks', () => {
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

  const create = async (body: object = {}, caller = api) => {
    const reply = await caller('POST', '/webhooks', { url: URL_TAKEN, ...body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body;
  };

  const tagId = async (tenant: Tenant, name: string) => {
    await tenant.api('POST', '/links', { destination: DESTINATION, tags: [name] });
    return (await Tag.findOne({ where: { projectId: tenant.projectId, name }, rejectOnEmpty: true })).id;
  };

  describe('creation', () => {
    it('gives every field with its default, and a secret', async () => {
      const { id, secret, created_at, updated_at, ...others } = await create();
      expect(id).to.match(/^whk_/);
      expect(secret).to.match(/^whsec_[A-Za-z0-9_-]{43}$/);
      expect(updated_at).to.equal(created_at);
      expect(others).to.deep.equal({
        project_id: mine.projectId,
        url: URL_TAKEN,
        description: null,
        external_id: null,
        managed_by: null,
        event_types: ['*'],
        scope: { project_id: mine.projectId },
        include_bots: false,
        batch: null,
        max_in_flight: 10,
        status: 'enabled',
        disabled_reason: null,
        circuit: 'closed',
        consecutive_failures: 0,
        api_version: '2026-11-01',
      });
    });

    it('keeps what is sent', async () => {
      const sending = { batch: { max_events: 1000, max_wait_seconds: 60 }, max_in_flight: 100 };
      const body = { description: 'D', event_types: Object.keys(EVENT_TYPES), include_bots: true, ...sending };
      expect(await create(body)).to.deep.include(body);
      expect((await create({ description: null, scope: null })).scope).to.deep.equal({ project_id: mine.projectId });
    });

    it('shows the secret there and nowhere else', async () => {
      const { id, secret, ...shown } = await create();
      expect((await api('GET', `/webhooks/${id}`)).body).to.deep.equal({ id, ...shown });
      const list = await api('GET', '/webhooks?limit=100');
      const changed = await api('PATCH', `/webhooks/${id}`, { description: 'x' });
      for (const { body } of [list, changed])
        expect(JSON.stringify(body)).to.not.include('whsec_').and.not.include(secret);
    });
  });

  describe('scope', () => {
    it('is a link, a tag or the project of the key', async () => {
      const link = (await api('POST', '/links', { destination: DESTINATION, external_id: 'scoped' })).body.id;
      const tag = await tagId(mine, 'scoped');
      for (const scope of [{ link_id: link }, { tag_id: tag }, { project_id: mine.projectId }]) {
        const webhook = await create({ scope });
        expect(webhook).to.deep.include({ scope, project_id: mine.projectId });
      }
      const mixed = await create({ scope: { link_id: 'ext_scoped', tag_id: null, project_id: null } });
      expect(mixed.scope).to.deep.equal({ link_id: link });
    });

    it('422 for things of others, in the same words as for things that do not exist', async () => {
      const neighbours = await makeTenant(world, mine.teamId);
      const strangers = await makeTenant(world);
      for (const { api: theirs, projectId, ...tenant } of [neighbours, strangers]) {
        const link = (await theirs('POST', '/links', { destination: DESTINATION, external_id: 'theirs' })).body.id;
        const tag = await tagId({ api: theirs, projectId, ...tenant }, 'theirs');
        const table: [string, string, string][] = [
          ['project_id', projectId, newId('prj')],
          ['link_id', link, newId('lnk')],
          ['link_id', 'ext_theirs', 'ext_nobodys'],
          ['tag_id', tag, newId('tag')],
        ];
        for (const [field, foreign, unknown] of table) {
          const replies = await Promise.all(
            [foreign, unknown].map((id) => api('POST', '/webhooks', { url: URL_TAKEN, scope: { [field]: id } })),
          );
          for (const reply of replies) expectInvalid(reply, `scope.${field}`);
          expect(replies[0]?.body.error.message).to.equal(replies[1]?.body.error.message);
        }
      }
    });

    it('422 for none of the three, two of them, or others', async () => {
      const { projectId: project_id } = mine;
      const link_id = (await api('POST', '/links', { destination: DESTINATION })).body.id;
      const bad = { url: URL_TAKEN };
      expectInvalid(await api('POST', '/webhooks', { ...bad, scope: {} }), 'scope');
      expectInvalid(await api('POST', '/webhooks', { ...bad, scope: { project_id, link_id } }), 'scope');
      expectInvalid(await api('POST', '/webhooks', { ...bad, scope: { team_id: mine.teamId } }), 'scope.team_id');
      expectInvalid(await api('POST', '/webhooks', { ...bad, scope: 'project' }), 'scope');
      expectInvalid(await api('POST', '/webhooks', { ...bad, team_id: mine.teamId }), 'team_id');
    });

    it('404 for team-wide ones, which are not listed either', async () => {
      const session = await ownerSession(world);
      const mutation =
        'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id projectId scope { projectId } } }';
      const input = { teamId: mine.teamId, url: URL_TAKEN };
      const { data } = await graphql(world.origin, mutation, { input }, session);
      expect(data.createWebhook).to.include({ projectId: null, scope: null });
      const { id } = data.createWebhook;
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', {}],
        ['DELETE', ''],
        ['POST', '/test', { type: 'link.created' }],
        ['GET', '/deliveries'],
      ] as const) {
        expectError(await api(method, `/webhooks/${id}${path}`, body), 404, 'not_found');
      }
      const ids = (await api('GET', '/webhooks?limit=100')).body.data.map((webhook: { id: string }) => webhook.id);
      expect(ids).to.not.include(id);
    });
  });

  it('lists the webhooks of the project alone, newest first, page by page', async () => {
    const tenant = await makeTenant(world, mine.teamId);
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await create({}, tenant.api)).id);
    const first = (await tenant.api('GET', '/webhooks?limit=2')).body;
    const second = (await tenant.api('GET', `/webhooks?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal(ids);
    expect(second.next_cursor).to.equal(null);
  });

  it('is changed field by field; null clears', async () => {
    const link = (await api('POST', '/links', { destination: DESTINATION })).body.id;
    const { id } = await create({ description: 'D', scope: { link_id: link }, include_bots: true });
    const change = async (body: object) => (await api('PATCH', `/webhooks/${id}`, body)).body;
    expect(await change({ description: null })).to.include({ description: null, include_bots: true });
    expect(await change({ event_types: ['link.created'] })).to.deep.include({ event_types: ['link.created'] });
    expect((await change({ url: `${URL_TAKEN}2` })).url).to.equal(`${URL_TAKEN}2`);
    expect((await change({ include_bots: false })).scope).to.deep.equal({ link_id: link });
    expect((await change({ scope: null })).scope).to.deep.equal({ project_id: mine.projectId });
    const bad = { url: null, event_types: null, include_bots: null, secret: 'x', status: 'disabled', project_id: null };
    expectInvalid(await api('PATCH', `/webhooks/${id}`, bad), ...Object.keys(bad));
  });

  it('refuses event types that it does not have', async () => {
    const table: [unknown, string][] = [
      [['link.created', 'link.eaten'], 'event_types.1'],
      [[], 'event_types'],
      [['*', '*'], 'event_types'],
      ['*', 'event_types'],
      [[null], 'event_types.0'],
    ];
    for (const [event_types, path] of table) {
      expectInvalid(await api('POST', '/webhooks', { url: URL_TAKEN, event_types }), path);
    }
  });

  it('lists every bad field at once', async () => {
    const scope = { link_id: newId('lnk') };
    const broken = { url: 'http://169.254.169.254/', scope };
    expectInvalid(await api('POST', '/webhooks', broken), 'url', 'scope.link_id');
    const worse = { ...broken, event_types: ['x'], include_bots: 1, description: 5, more: 1 };
    const paths = ['url', 'scope.link_id', 'event_types.0', 'include_bots', 'description', 'more'];
    expectInvalid(await api('POST', '/webhooks', worse), ...paths);
    const { id } = await create();
    expectInvalid(await api('PATCH', `/webhooks/${id}`, worse), ...paths);
  });

  it('refuses metadata addresses even where private targets are allowed', async () => {
    for (const host of ['169.254.169.254', '[fd00:ec2::254]', '100.100.100.200', '0xa9fea9fe', '2852039166']) {
      expectInvalid(await api('POST', '/webhooks', { url: `http://${host}/latest` }), 'url');
    }
  });

  it('is gone after DELETE with its deliveries', async () => {
    const { id } = await create();
    const delivery = (await api('POST', `/webhooks/${id}/test`, { type: 'link.created' })).body.id;
    expect((await api('DELETE', `/webhooks/${id}`)).status).to.equal(204);
    expectError(await api('DELETE', `/webhooks/${id}`), 404, 'not_found');
    expectError(await api('GET', `/deliveries/${delivery}`), 404, 'not_found');
  });

  describe('test', () => {
    it('202 with the delivery, which then arrives marked as a test', async () => {
      const { id } = await create({ url: receiver.url, event_types: ['link.created'] });
      const other = await create({ url: receiver.url });
      const reply = await api('POST', `/webhooks/${id}/test`, { type: 'app.installed' });
      expect(reply.status).to.equal(202);
      expect(reply.body).to.deep.include({
        webhook_id: id,
        event_type: 'app.installed',
        status: 'pending',
        attempts: [],
      });
      const { body, headers } = await receiver.waitFor(
        (received) => received.headers['svc-delivery-id'] === reply.body.id,
        'the sample',
      );
      expect(body).to.equal(reply.body.request_body);
      expect(headers).to.include({ 'svc-event-type': 'app.installed', 'svc-attempt': '1' });
      const envelope = JSON.parse(body);
      expect(envelope).to.include({
        id: reply.body.event_id,
        test: true,
        project_id: mine.projectId,
        team_id: mine.teamId,
      });
      const others = (await api('GET', `/webhooks/${other.id}/deliveries`)).body.data;
      expect(others.map(({ event_id }: { event_id: string }) => event_id)).to.not.include(reply.body.event_id);
      const delivery = await until(async () => {
        const { body: shown } = await api('GET', `/deliveries/${reply.body.id}`);
        return shown.status === 'succeeded' && shown;
      }, 'its success');
      expect(delivery).to.include({ attempt_count: 1, next_attempt_at: null });
      expect(delivery.attempts[0]).to.include({
        number: 1,
        manual: false,
        status_code: 200,
        response_body: 'ok',
        error: null,
      });
    });

    it('has a sample of every type', async () => {
      const { id } = await create();
      for (const type of Object.keys(EVENT_TYPES)) {
        const { status, body } = await api('POST', `/webhooks/${id}/test`, { type });
        expect(status).to.equal(202);
        expect(JSON.parse(body.request_body)).to.deep.include({ type, test: true, api_version: '2026-11-01' });
      }
    });

    it('422 without a type, or with one that there is not', async () => {
      const { id } = await create();
      for (const body of [{}, { type: 'link.eaten' }, { type: '*' }, { type: null }, { type: ['link.created'] }]) {
        expectInvalid(await api('POST', `/webhooks/${id}/test`, body), 'type');
      }
    });
  });

  it('lists deliveries by status, type and time', async () => {
    const { id } = await create({ url: receiver.url });
    const made: string[] = [];
    for (const type of ['link.created', 'link.deleted', 'link.created']) {
      made.unshift((await api('POST', `/webhooks/${id}/test`, { type })).body.id);
    }
    const list = async (query: object = {}) => {
      const reply = await api('GET', `/webhooks/${id}/deliveries?${new URLSearchParams({ ...query })}`);
      expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
      return reply.body.data.map((delivery: { id: string }) => delivery.id);
    };
    await until(async () => (await list({ status: 'succeeded' })).length === 3, 'three successes');
    expect(await list()).to.deep.equal(made);
    expect(await list({ event_type: 'link.deleted' })).to.deep.equal([made[1]]);
    expect(await list({ status: 'pending' })).to.deep.equal([]);
    const { created_at } = (await api('GET', `/deliveries/${made[1]}`)).body;
    expect(await list({ created_after: created_at })).to.include(made[1]);
    expect(await list({ created_before: created_at })).to.not.include(made[1]);
    const { body } = await api('GET', `/webhooks/${id}/deliveries?limit=1`);
    const next = await api('GET', `/webhooks/${id}/deliveries?limit=1&cursor=${body.next_cursor}`);
    expect(next.body.data[0].id).to.equal(made[1]);
    const bad = { status: 'lost', event_type: 'x', created_after: 'now', created_before: '', limit: '0', type: 'x' };
    expectInvalid(await api('GET', `/webhooks/${id}/deliveries?${new URLSearchParams(bad)}`), ...Object.keys(bad));
  });
});
