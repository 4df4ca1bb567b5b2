// stores: each
import { get, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { dialect } from '../../../src/db/connection/database.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { recordEvent } from '../../../src/events/recordEvent.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { sampleEvent } from '../../../src/webhooks/samples.ts';
import { AGENTS } from '../../support/agents.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type LiveStream, openStream } from '../../support/liveStream.ts';
import { raiseEvents } from '../../support/raiseEvents.ts';
import { firstTenant, makeKey, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

describe('GET /events/stream', () => {
  const world = useOwnWorld({ LIVE_HEARTBEAT_SECONDS: '1', EVENT_STREAMS_PER_KEY: '5', LIVE_CONNECTIONS: '80' });
  let first: Tenant;
  let mine: Tenant;
  let key: { id: string; key: string };
  let session: string;
  const streams: LiveStream[] = [];
  let isStopped = false;

  before(async () => {
    first = await firstTenant(world);
    session = await ownerSession(world);
  });
  beforeEach(async () => {
    mine = await makeTenant(world, first.teamId);
    key = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*:read'] });
  });
  afterEach(async () => {
    clock.reset();
    for (const stream of streams) stream.close();
    await Promise.all(streams.splice(0).map(({ ended }) => ended));
    if (!isStopped) await until(async () => (await openStreams()) === 0, 'all streams to be closed');
  });

  const openStreams = async () => (await registry.getSingleMetric('svc_event_streams')?.get())?.values[0]?.value;
  const listen = async (query = '', headers: Record<string, string> = {}, as = key.key) => {
    const stream = await openStream(`${world.origin}/api/v1/events/stream${query}`, {
      Authorization: `Bearer ${as}`,
      ...headers,
    });
    streams.push(stream);
    if (stream.status === 200) await until(() => stream.text() !== '', 'the stream to begin');
    return stream;
  };
  const idsOf = ({ events }: LiveStream) => events.flatMap(({ id }) => id ?? []);
  const untilIds = (stream: LiveStream, ids: readonly string[]) =>
    until(() => ids.every((id) => idsOf(stream).includes(id)), `${ids.length} events in the stream`);
  const raise = (count = 1, more: Parameters<typeof raiseEvents>[0] | object = {}, type?: 'link.updated') =>
    raiseEvents({ ...mine, ...more }, count, type);
  /** Events of an hour ago, so far apart that none can be taken for one that was committed after the next one. */
  const raiseLongAgo = async (count: number) => {
    const ids: string[] = [];
    const startMs = Date.now() - 3_600_000;
    for (let at = 0; at < count; at += 1) {
      clock.use({ now: () => startMs + at * 61_000 });
      ids.push(...(await raise()));
    }
    clock.reset();
    return ids;
  };

  it('sends what webhooks receive, as soon as it is committed', async () => {
    const stream = await listen();
    expect(stream.status).to.equal(200);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).to.equal('no-store');
    expect(stream.headers.get('x-accel-buffering')).to.equal('no');
    expect(stream.headers.get('ratelimit-limit')).to.be.a('string');
    expect(stream.text()).to.match(/^retry: 3000\n\n/);
    const { body: link } = await mine.api('POST', '/links', { destination: 'https://example.com/' });
    await until(() => stream.events.length > 0, 'an event');
    const [{ event, id, data }] = stream.events as [LiveStream['events'][number]];
    expect(event).to.equal('link.created');
    expect(data.data.link.id).to.equal(link.id);
    const { body: list } = await mine.api('GET', '/events');
    expect(data).to.deep.equal(list.data[0]);
    expect(id).to.equal(data.id);
    expect(Object.keys(data).slice(0, 4)).to.deep.equal(['id', 'type', 'api_version', 'created_at']);
    await until(() => stream.text().includes('\n: alive\n\n'), 'a sign of life');
  });

  it('tells nothing of other projects, of tests, and of before', async () => {
    await raise();
    const stream = await listen();
    await raiseEvents(first, 1);
    const { body: hook } = await mine.api('POST', '/webhooks', { url: 'http://127.0.0.1:9/' });
    await mine.api('POST', `/webhooks/${hook.id}/test`, { type: 'link.created' });
    const [id] = await raise();
    await untilIds(stream, [String(id)]);
    expect(idsOf(stream)).to.deep.equal([id]);
  });

  it('has clicks although no webhook wants them', async () => {
    const stream = await listen('?types=link.clicked');
    const { body: link } = await mine.api('POST', '/links', { destination: 'https://example.com/' });
    await fetch(`${world.origin}/${link.slug}`, { headers: { 'User-Agent': AGENTS.human }, redirect: 'manual' });
    const { event, data } = await until(() => stream.events[0], 'the click');
    expect([event, data.data.link.id]).to.deep.equal(['link.clicked', link.id]);
  });

  it('has only some types, or those of one link', async () => {
    const { body: link } = await mine.api('POST', '/links', { destination: 'https://example.com/', external_id: 'a' });
    const [types, every, byId, byOwnId] = [
      await listen('?types=link.updated,link.deleted'),
      await listen('?types=*'),
      await listen(`?link_id=${link.id}`),
      await listen('?link_id=ext_a&types=link.updated'),
    ];
    const [created, updated] = [await raise(1, {}), await raise(1, {}, 'link.updated')].flat() as [string, string];
    const [own, ownUpdated] = [
      await raise(1, { linkId: link.id }),
      await raise(1, { linkId: link.id }, 'link.updated'),
    ].flat() as [string, string];
    for (const stream of [types, every, byId, byOwnId]) await untilIds(stream, [ownUpdated]);
    expect(idsOf(types)).to.deep.equal([updated, ownUpdated]);
    expect(idsOf(every)).to.deep.equal([created, updated, own, ownUpdated]);
    expect(idsOf(byId)).to.deep.equal([own, ownUpdated]);
    expect(idsOf(byOwnId)).to.deep.equal([ownUpdated]);
  });

  it('begins with what came after an event, by the address or by Last-Event-ID, which wins', async () => {
    const old = await raiseLongAgo(4);
    const [one, two, three, four] = old as [string, string, string, string];
    const since = async (query: string, headers: Record<string, string> = {}) => {
      const stream = await listen(query, headers);
      await untilIds(stream, await raise(1, {}, 'link.updated'));
      stream.close();
      return idsOf(stream).filter((id) => old.includes(id));
    };
    expect(await since(`?after=${two}`)).to.deep.equal([three, four]);
    expect(await since('', { 'Last-Event-ID': one })).to.deep.equal([two, three, four]);
    expect(await since(`?after=${one}`, { 'Last-Event-ID': three })).to.deep.equal([four]);
    expect(await since(`?after=${one}&types=link.updated,link.created`)).to.deep.equal([two, three, four]);
    expect(await since(`?after=${one}&types=link.updated`)).to.deep.equal([]);
    // An event that is gone still says when it was.
    expect(await since(`?after=${newId('evt')}`)).to.deep.equal([]);
  });

  it('says how many it skipped, and from where they can be had', async () => {
    const old = await raiseLongAgo(3);
    const many = await raise(1500);
    const stream = await listen(`?after=${old[0]}`);
    const gap = await until(() => stream.events.find(({ event }) => event === 'skipped'), 'the gap');
    const begun = stream.events.slice(0, stream.events.indexOf(gap));
    expect(begun).to.have.length(1000);
    expect(begun.slice(0, 2).map(({ id }) => id)).to.deep.equal(old.slice(1));
    expect(gap.data).to.deep.equal({ count: 502, after: begun.at(-1)?.id });
    const [later] = await raise();
    await untilIds(stream, [String(later)]);
    expect(stream.events.at(-1)?.id).to.equal(later);
    const rest = await listen(`?after=${gap.data.after}`);
    const missing = many.filter((id) => !begun.some((event) => event.id === id));
    expect(missing).to.have.length(502);
    await untilIds(rest, missing);
    expect(rest.events.some(({ event }) => event === 'skipped')).to.equal(false);
  });

  it('tells of events that are committed late, each once', async () => {
    const stream = await listen();
    const now = await raise(3);
    await untilIds(stream, now);
    clock.use({ now: () => Date.now() - 40_000 });
    const late = await raise(2);
    clock.reset();
    await untilIds(stream, late);
    // Whoever comes back cannot have seen them.
    const [last] = await raise();
    await untilIds(stream, [String(last)]);
    expect(idsOf(stream)).to.have.length(6);
    clock.use({ now: () => Date.now() - 20_000 });
    const later = await raise(2);
    clock.reset();
    const back = await listen('', { 'Last-Event-ID': String(last) });
    await untilIds(back, later);
    expect(new Set(idsOf(back)).size).to.equal(idsOf(back).length);
  });

  it('tells of a transaction that began first and is committed last', async function () {
    // SQLite has one writer.
    if (dialect() === 'sqlite') return this.skip();
    const stream = await listen();
    const scope = { ...sampleEvent('link.created', { projectId: mine.projectId }), teamId: mine.teamId };
    let early = '';
    let late = '';
    await inTransaction(async (transaction) => {
      late = (await recordEvent(transaction, { ...scope, projectId: mine.projectId })).id;
      early = String((await raise())[0]);
      await untilIds(stream, [early]);
    });
    await untilIds(stream, [late]);
    expect(idsOf(stream)).to.deep.equal([early, late]);
    expect(late < early).to.equal(true);
  });

  it('ends when the key is revoked, expires, or loses its project', async () => {
    const revoked = await listen();
    await graphql(world.origin, 'mutation ($id: ID!) { revokeKey(id: $id) }', { id: key.id }, session);
    await revoked.ended;
    expect(revoked.text()).to.match(/\nretry: 3000\n\n$/);
    expect((await listen()).status).to.equal(401);
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const brief = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*:read'], expiresAt });
    const expired = await listen('', {}, brief.key);
    clock.use({ now: () => Date.now() + 3_600_001 });
    await expired.ended;
    clock.reset();
    const other = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*:read'] });
    const orphaned = await listen('', {}, other.key);
    const { errors } = await graphql(
      world.origin,
      'mutation ($id: ID!, $password: String!) { deleteProject(id: $id, password: $password) { id } }',
      { id: mine.projectId, password: 'the password of tests' },
      session,
    );
    expect(errors).to.equal(undefined);
    await orphaned.ended;
  });

  it('has so many streams for a key, and a tenth of all for a team; another team still gets one', async () => {
    for (let open = 0; open < 5; open += 1) expect((await listen()).status).to.equal(200);
    const sixth = await mine.api.as(key.key)('GET', '/events/stream');
    expectError(sixth, 429, 'rate_limited');
    expect(sixth.headers.get('retry-after')).to.match(/^\d+$/);
    const other = await makeKey(world, session, { projectId: mine.projectId, scopes: ['*:read'] });
    for (let open = 0; open < 3; open += 1) expect((await listen('', {}, other.key)).status).to.equal(200);
    const refused = await mine.api('GET', '/events/stream');
    expectError(refused, 429, 'rate_limited');
    expect(refused.body.error.message).to.include('team');
    const others = await makeTenant(world);
    const theirs = await makeKey(world, await memberSession(world, others.teamId, 'admin'), {
      projectId: others.projectId,
      scopes: ['*:read'],
    });
    expect((await listen('', {}, theirs.key)).status).to.equal(200);
    streams.pop()?.close();
    await until(async () => (await openStreams()) === 8, 'the stream of others to be closed');
    (streams[0] as LiveStream).close();
    await until(async () => (await openStreams()) === 7, 'a free place');
    expect((await listen()).status).to.equal(200);
  });

  it('refuses types, events and links that are none', async () => {
    const unknown = await mine.api('GET', '/events/stream?types=link.craeted,link.deleted&after=evt_1');
    expectInvalid(unknown, 'types', 'after');
    expect(unknown.body.error.message).to.include('Did you mean link.created?');
    expectInvalid(await mine.api('GET', '/events/stream?types=link.created,'), 'types');
    const header = { headers: { 'Last-Event-ID': newId('lnk') } };
    expectInvalid(await mine.api('GET', '/events/stream', undefined, header), 'after');
    const { body: foreign } = await first.api('POST', '/links', { destination: 'https://example.com/' });
    for (const id of [foreign.id, newId('lnk'), 'ext_nothing', 'nothing'])
      expectError(await mine.api('GET', `/events/stream?link_id=${id}`), 404, 'not_found');
    expectError(await mine.api('POST', '/events/stream', {}), 405, 'method_not_allowed');
    const headers = { Authorization: `Bearer ${key.key}` };
    expect((await fetch(`${world.origin}/api/v1/events/stream`, { method: 'HEAD', headers })).status).to.equal(200);
    await until(async () => (await openStreams()) === 0, 'no stream to be left');
  });

  it('goes on for longer than a request may take', async () => {
    const { config } = await import('../../../src/kernel/config.ts');
    const before = config.requestSeconds;
    Object.assign(config, { requestSeconds: 0.2 });
    const stream = await listen();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const [id] = await raise();
    await untilIds(stream, [String(id)]);
    Object.assign(config, { requestSeconds: before });
  });

  it('the product stops although streams are open, and somebody takes nothing', async () => {
    const stream = await listen();
    const stalled = await new Promise<IncomingMessage>((resolve) => {
      const headers = { Authorization: `Bearer ${key.key}` };
      get(`${world.origin}/api/v1/events/stream`, { headers }, resolve).on('error', () => {});
    });
    stalled.pause().on('error', () => {});
    await until(async () => (await openStreams()) === 2, 'both streams');
    await raise(2000);
    const startedAt = performance.now();
    await world.stop();
    await stream.ended;
    expect(performance.now() - startedAt).to.be.lessThan(10_000);
    expect(stream.text()).to.match(/\nretry: 3000\n\n$/);
    stalled.destroy();
    isStopped = true;
  });
});
