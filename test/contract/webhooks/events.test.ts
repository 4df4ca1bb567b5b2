// stores: each
import { expect } from 'chai';
import { database, dialect } from '../../../src/db/connection/database.ts';
import { query } from '../../../src/db/query.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { recordEvent } from '../../../src/events/recordEvent.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import type { Api } from '../../support/api.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';
import { joinWorld, type World } from '../../support/world.ts';

const DESTINATION = 'https://www.example.com/';
const DAY_MS = 86_400_000;

describe('events', () => {
  let world: World;
  let teamId: string;
  let mine: Tenant;
  let api: Api;
  let receiver: Receiver;

  before(async () => {
    [world, receiver] = await Promise.all([joinWorld(), startReceiver()]);
    teamId = (await firstTenant(world)).teamId;
  });
  after(() => Promise.all([world.stop(), receiver.close()]));
  beforeEach(async () => {
    mine = await makeTenant(world, teamId);
    api = mine.api;
  });
  afterEach(() => clock.reset());

  const createLink = async (body: object = {}, caller = api) =>
    (await caller('POST', '/links', { destination: DESTINATION, ...body })).body.id as string;
  const list = (query: Record<string, string> = {}) => walk(api, '/events', query);
  const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);
  const record = (more: object = {}) =>
    inTransaction((transaction) =>
      recordEvent(transaction, { type: 'health.failed', ...mine, data: { checks: [] }, ...more }),
    );

  it('are the very envelopes that webhooks get', async () => {
    await api('POST', '/webhooks', { url: receiver.url });
    const link = await createLink({ title: 'Ü', data: { b: 1, a: [null, { c: 2 }] } });
    const { body } = await receiver.waitFor(({ event }) => event.data.link?.id === link, 'the event');
    const [event] = await list();
    expect(JSON.stringify(event)).to.equal(body);
    expect(event).to.include({
      type: 'link.created',
      api_version: '2026-11-01',
      team_id: teamId,
      project_id: mine.projectId,
      test: false,
    });
  });

  it('are listed newest first; none of others, of the whole team, and no samples', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 3; made += 1) ids.unshift((await record()).id);
    const webhook = (await api('POST', '/webhooks', { url: receiver.url })).body.id;
    expect((await api('POST', `/webhooks/${webhook}/test`, { type: 'link.created' })).status).to.equal(202);
    await createLink({}, (await makeTenant(world, teamId)).api);
    await createLink({}, (await makeTenant(world)).api);
    await record({ projectId: null });
    const events = await walk(api, '/events', { limit: '1' }, () => record());
    expect(events.map(({ id }) => id)).to.deep.equal(ids);
  });

  it('of the same moment are each given once', async () => {
    const moment = Date.now();
    clock.use({ now: () => moment });
    const ids = [];
    for (let made = 0; made < 5; made += 1) ids.push((await record()).id);
    expect((await list({ limit: '2' })).map(({ id }) => id)).to.have.members(ids);
  });

  it('are filtered by type and link, also by external id', async () => {
    const first = await createLink({ external_id: 'first' });
    const second = await createLink();
    await api('PATCH', `/links/${first}`, { slug: 'renamed' });
    expect(typesOf(await list())).to.deep.equal(['link.updated', 'link.created', 'link.created']);
    const created = await list({ type: 'link.created' });
    expect(created.map(({ data }) => data.link.id)).to.deep.equal([second, first]);
    for (const link_id of [first, 'ext_first']) {
      expect(typesOf(await list({ link_id }))).to.deep.equal(['link.updated', 'link.created']);
      expect(typesOf(await list({ link_id, type: 'link.created' }))).to.deep.equal(['link.created']);
    }
  });

  it('of a deleted link are still there', async () => {
    const link_id = await createLink({ external_id: 'gone' });
    await api('DELETE', `/links/${link_id}`);
    expect(typesOf(await list({ link_id }))).to.deep.equal(['link.deleted', 'link.created']);
  });

  it('are none for links of others and of nothing', async () => {
    const theirs = await createLink({ external_id: 'theirs' }, (await makeTenant(world, teamId)).api);
    for (const link_id of [theirs, newId('lnk'), 'ext_theirs', 'ext_', 'x']) {
      expect(await list({ link_id })).to.deep.equal([]);
    }
  });

  it('are filtered by time: created_after is inclusive, created_before exclusive', async () => {
    const start = Date.now() - 60_000;
    const ids: string[] = [];
    for (const second of [0, 1, 2, 3]) {
      clock.use({ now: () => start + second * 1000 });
      ids.push((await record()).id);
    }
    clock.reset();
    const at = (second: number) => new Date(start + second * 1000).toISOString();
    const between = await list({ created_after: at(1), created_before: at(3) });
    expect(between.map(({ id }) => id)).to.deep.equal([ids[2], ids[1]]);
    expect((await list({ created_after: at(3) })).map(({ id }) => id)).to.deep.equal([ids[3]]);
  });

  it('are kept for 30 days', async () => {
    const { id, createdAt } = await record();
    const end = createdAt.getTime() + 30 * DAY_MS;
    clock.use({ now: () => end });
    expect((await list()).map((event) => event.id)).to.deep.equal([id]);
    clock.use({ now: () => end + 1 });
    expect(await list({ created_after: '2020-01-01T00:00:00Z' })).to.deep.equal([]);
  });

  it('422 for filters that are none, all of them listed; 400 for the cursor of another question', async () => {
    const bad = { type: 'link.eaten', link_id: '', created_after: 'now', created_before: '', limit: '0', status: 'x' };
    expectInvalid(await api('GET', `/events?${new URLSearchParams(bad)}`), ...Object.keys(bad));
    for (let made = 0; made < 2; made += 1) await record();
    const { next_cursor } = (await api('GET', '/events?limit=1')).body;
    expectError(await api('GET', `/events?type=health.failed&cursor=${next_cursor}`), 400, 'invalid_request');
    expectError(await world.api('GET', `/events?limit=1&cursor=${next_cursor}`), 400, 'invalid_request');
  });

  it('are the same through /graphql', async () => {
    await createLink({ external_id: 'seen' });
    const query = `query ($projectId: ID!, $linkId: ID) { events(projectId: $projectId, linkId: $linkId) {
      data { id type apiVersion createdAt teamId projectId test data } nextCursor } }`;
    const session = await ownerSession(world);
    const { data } = await graphql(world.origin, query, { projectId: mine.projectId, linkId: 'ext_seen' }, session);
    const [event] = await list();
    expect(data.events.data[0]).to.deep.include({ id: event.id, createdAt: event.created_at, data: event.data });
    const { projectId } = await makeTenant(world);
    const foreign = await graphql(world.origin, query, { projectId }, session);
    expect(foreign.errors?.[0]?.extensions.code).to.equal('not_found');
  });

  it('are read from an index in the order of the list, whatever is asked', async function () {
    // PostgreSQL reads a table of a few rows as a whole, whatever indexes there are.
    if (dialect() !== 'sqlite') this.skip();
    const link_id = newId('lnk');
    const table: [Record<string, string>, string][] = [
      [{}, 'events_project_id_created_at_id '],
      [{ type: 'link.clicked' }, 'events_project_id_type_created_at_id '],
      [{ link_id }, 'events_project_id_link_id_created_at_id_type '],
      [{ link_id, type: 'link.clicked' }, 'events_project_id_link_id_created_at_id_type '],
    ];
    for (const [filter, index] of table) {
      const sql = await sqlOf(() => list(filter));
      const plan = await query<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
      expect(plan[0]?.detail).to.include(`USING INDEX ${index}`).and.include('created_at>');
    }
  });

  /** The one query for events that is asked meanwhile. */
  const sqlOf = async (ask: () => Promise<unknown>) => {
    // Sequelize has them, though its types don't say so.
    const { options } = database() as unknown as { options: { logging: (sql: string) => void } };
    const { logging } = options;
    const asked: string[] = [];
    options.logging = (sql) => asked.push(sql.replace(/^.*?: /, ''));
    try {
      await ask();
    } finally {
      options.logging = logging;
    }
    return asked.filter(
      (sql) => sql.startsWith('SELECT') && sql.includes('AS `Event`') && sql.includes('`webhook_id` IS'),
    )[0];
  };
});
