// stores: any
import { expect } from 'chai';
import { constructEvent } from '../../../sdk/webhooks/index.ts';
import { EVENT_TYPES } from '../../../src/events/catalogue.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { AGENTS } from '../../support/agents.ts';
import type { Api } from '../../support/api.ts';
import { readDocument } from '../../support/clientDocument.ts';
import { eventMisfits } from '../../support/eventMisfits.ts';
import { graphql } from '../../support/graphql.ts';
import { importCsv } from '../../support/imports.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { joinWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
/** A link with every field that can be said. */
const FULL = {
  destination: DESTINATION,
  routing: { rules: [{ name: 'phones', when: { platform: ['ios'] }, destination: 'https://m.example.com/' }] },
  data: { screen: 'sale' },
  tags: ['a', 'B'],
  external_id: 'full',
  title: 'T',
  notes: 'N',
  utm: { source: 's' },
  preview: { title: 'T' },
  starts_at: '2020-01-01T00:00:00Z',
  expires_at: '2090-01-01T00:00:00Z',
  expired_destination: 'https://www.example.com/late',
  click_limit: 1000,
  match_window_seconds: 60,
};

type Cause = [name: string, types: string[], act: (api: Api, linkId: string) => Promise<unknown>];

describe('events that really happen', () => {
  let world: World;
  let first: Tenant;
  let tenant: Tenant;
  let receiver: Receiver;
  let secret: string;
  let misfits: ReturnType<typeof eventMisfits>;

  before(async () => {
    [world, receiver] = await Promise.all([joinWorld(), startReceiver()]);
    first = await firstTenant(world);
    misfits = eventMisfits((await readDocument(world)).document);
  });
  after(() => Promise.all([world.stop(), receiver.close()]));
  beforeEach(async () => {
    receiver.received.length = 0;
    tenant = await makeTenant(world, first.teamId);
    const { body } = await tenant.api('POST', '/webhooks', { url: receiver.url, include_bots: true });
    secret = body.secret;
  });

  const make = async (body: object = {}, api = tenant.api) =>
    (await api('POST', '/links', { destination: DESTINATION, ...body })).body;
  const follow = (slug: string, headers: Record<string, string> = {}) =>
    fetch(`${world.origin}/${slug}`, { redirect: 'manual', headers: { 'User-Agent': AGENTS.human, ...headers } });
  const bulk = async (api: Api, method: string, path: string, body: object) => {
    const reply = await api(method, path, body);
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
  };

  /** In the name of the cause: what it is done to, and the types that it makes. */
  const CAUSES: Cause[] = [
    ['POST /links', ['link.created'], (api) => api('POST', '/links', { destination: DESTINATION })],
    ['POST /links with every field', ['link.created'], (api) => api('POST', '/links', { ...FULL, external_id: 'new' })],
    [
      'PATCH of every field',
      ['link.updated'],
      (api, id) => api('PATCH', `/links/${id}`, { ...FULL, slug: 'moved', external_id: 'other', data: {}, tags: null }),
    ],
    ['archiving', ['link.archived', 'link.updated'], (api, id) => api('POST', `/links/${id}/archive`)],
    [
      'archiving by a PATCH that changes more',
      ['link.archived', 'link.updated'],
      (api, id) => api('PATCH', `/links/${id}`, { archived: true, destination: `${DESTINATION}b`, title: 'x' }),
    ],
    ['a flag', ['alert.created', 'link.flagged', 'link.updated'], (_, id) => flagLink(id, 'phishing')],
    ['DELETE', ['link.deleted'], (api, id) => api('DELETE', `/links/${id}`)],
    [
      'PUT of a new external id, and again',
      ['link.created', 'link.updated'],
      async (api) => {
        for (const end of ['a', 'b', 'b']) {
          await api('PUT', '/links/external/put', { destination: `${DESTINATION}${end}` });
        }
      },
    ],
    [
      'a bulk creation',
      ['links.imported'],
      (api) => bulk(api, 'POST', '/links/bulk', { links: [FULL, { destination: DESTINATION, title: 'T' }, {}] }),
    ],
    [
      'a bulk change',
      ['link.updated', 'links.imported'],
      (api, id) => bulk(api, 'PATCH', '/links/bulk', { ids: [id, 'x', id], set: { click_limit: 7, title: 'T' } }),
    ],
    [
      'bulk archiving',
      ['link.archived', 'link.updated', 'links.imported'],
      (api, id) => bulk(api, 'PATCH', '/links/bulk', { ids: [id], set: { archived: true } }),
    ],
    [
      'a bulk change of title, notes and external id alone',
      ['links.imported'],
      (api, id) => bulk(api, 'PATCH', '/links/bulk', { ids: [id], set: { title: 'x', notes: 'y', external_id: 'z' } }),
    ],
    [
      'a bulk change that changes nothing',
      ['links.imported'],
      (api, id) => bulk(api, 'PATCH', '/links/bulk', { ids: [id], set: { tags: ['b', 'a'], click_limit: 1000 } }),
    ],
    [
      'a bulk deletion',
      ['link.deleted', 'links.imported'],
      (api, id) => bulk(api, 'POST', '/links/bulk/delete', { ids: [id, 'x'] }),
    ],
    [
      'bulk calls that fail altogether',
      ['links.imported', 'links.imported', 'links.imported'],
      async (api) => {
        await bulk(api, 'POST', '/links/bulk', { links: [{ destination: 'x' }] });
        await bulk(api, 'PATCH', '/links/bulk', { ids: ['x'], set: { title: 'x' } });
        await bulk(api, 'POST', '/links/bulk/delete', { ids: ['x'] });
      },
    ],
    ['an import', ['links.imported'], (api) => importCsv(api, `destination,title\n${DESTINATION},a\nx,b\n`)],
    [
      'an import that changes a link',
      ['link.updated', 'links.imported'],
      (api) => importCsv(api, `external_id,destination\nfull,${DESTINATION}c\n`, { on_conflict: 'update' }),
    ],
    [
      'an import that changes a title alone',
      ['links.imported'],
      (api) => importCsv(api, `external_id,destination,title\nfull,${DESTINATION},x\n`, { on_conflict: 'update' }),
    ],
    ['an import that fails altogether', ['links.imported'], (api) => importCsv(api, 'destination\nx\n')],
    ['an import that only tries', [], (api) => importCsv(api, `destination\n${DESTINATION}\n`, { dry_run: 'true' })],
  ];

  for (const [name, types, act] of CAUSES) {
    it(`${name}: ${types.join(', ') || 'none'}, as the document has them`, async () => {
      const { api } = tenant;
      const { id } = await make(FULL);
      await act(api, id);
      const received = await allOf(['link.created', ...types]);
      for (const { event } of received) expectSound(event);
      const { body } = await api('GET', '/events?limit=100');
      const sent = received.map((one) => JSON.parse(one.body));
      expect(body.data).to.have.deep.members(sent);
    });
  }

  it('clicks of people, bots and scanners: link.clicked, as the document has it; never of prefetches', async () => {
    const link = await make({ ...FULL, slug: 'followed' });
    await follow('followed', { 'Sec-Purpose': 'prefetch' });
    const headers = { Referer: 'https://t.co/x', 'Accept-Language': 'de-AT,de;q=0.9' };
    for (const agent of Object.values(AGENTS)) await follow('followed', { 'User-Agent': agent, ...headers });
    const received = await allOf(['link.created', 'link.clicked', 'link.clicked', 'link.clicked']);
    const clicks = received.flatMap(({ event }) => (event.type === 'link.clicked' ? [event] : []));
    for (const event of clicks) expectSound(event);
    const classes = clicks.map(({ data }) => data.click.traffic_class);
    expect(classes).to.have.members(['human', 'bot', 'scanner']);
    const human = clicks.find(({ data }) => data.click.traffic_class === 'human');
    const { id, occurred_at, ...click } = human.data.click;
    expect([id.slice(0, 4), Date.parse(occurred_at)]).to.satisfy(
      ([prefix, at]: [string, number]) => prefix === 'clk_' && at > 0,
    );
    expect(click).to.deep.include({
      platform: 'ios',
      device: 'mobile',
      browser: 'Mobile Safari',
      referrer_host: 't.co',
      language: 'de-at',
      destination: 'https://m.example.com/',
      rule: 'phones',
      utm: { source: 's', medium: null, campaign: null, term: null, content: null },
    });
    const { domain, slug, short_url } = link;
    const shown = { id: link.id, domain, slug, short_url, external_id: 'full', tags: ['a', 'B'] };
    expect(human.data.link).to.deep.equal(shown);
  });

  it('a sample of every type arrives, verifies, and is as the document has it', async () => {
    const webhook = (await tenant.api('GET', '/webhooks')).body.data[0];
    const types = Object.keys(EVENT_TYPES);
    for (const type of types) {
      expect((await tenant.api('POST', `/webhooks/${webhook.id}/test`, { type })).status).to.equal(202);
    }
    for (const { event, headers, body } of await allOf(types)) {
      expect(event).to.include({ test: true, team_id: tenant.teamId, project_id: tenant.projectId });
      expectSound(event);
      expect(headers).to.include({ 'svc-event-type': event.type, 'svc-event-id': event.id });
      const signature = String(headers['svc-signature']);
      expect(constructEvent(body, signature, secret).id).to.equal(event.id);
    }
  });

  it('samples for a team-wide webhook are of the first project of the team', async () => {
    const session = await ownerSession(world);
    const create = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id } }';
    const test = 'mutation ($id: ID!, $type: String!) { testWebhook(id: $id, input: { type: $type }) { id } }';
    const input = { teamId: first.teamId, url: receiver.url, eventTypes: ['app.event'] };
    const { id } = (await graphql(world.origin, create, { input }, session)).data.createWebhook;
    const types = Object.keys(EVENT_TYPES);
    for (const type of types) {
      const { errors } = await graphql(world.origin, test, { id, type }, session);
      expect(errors).to.equal(undefined);
    }
    for (const { event } of await allOf(types)) {
      expect(event).to.include({ test: true, team_id: first.teamId, project_id: first.projectId });
      expectSound(event);
    }
  });

  /** Every event received once exactly these have come. */
  async function allOf(types: string[]): Promise<Received[]> {
    const typesNow = () => receiver.received.map(({ event }) => event.type).sort();
    await until(() => typesNow().length >= types.length, `${types}, there are ${typesNow()}`);
    expect(typesNow()).to.deep.equal([...types].sort());
    return receiver.received;
  }

  /** That an envelope is as the document has it, and all its parts are of its project. */
  function expectSound(event: Received['event']): void {
    expect(misfits(event), JSON.stringify(event)).to.deep.equal([]);
    const projects = JSON.stringify(event).match(/\bprj_[0-9a-z]{26}\b/g) ?? [];
    expect(new Set(projects)).to.deep.equal(new Set([event.project_id]));
  }
});
