// stores: any
import { get } from 'node:http';
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { registry } from '../../../src/kernel/metrics.ts';
import { AGENTS } from '../../support/agents.ts';
import { makeClick } from '../../support/clicks.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { type LiveStream, openLiveStream } from '../../support/liveStream.ts';
import { firstTenant, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { useOwnWorld } from '../../support/world.ts';

describe('live clicks', () => {
  const world = useOwnWorld({ LIVE_HEARTBEAT_SECONDS: '1', LIVE_CONNECTIONS: '120' });
  let first: Tenant;
  let mine: Tenant;
  let cookie: string;
  const streams: LiveStream[] = [];
  let isStopped = false;

  before(async () => {
    first = await firstTenant(world);
    cookie = await ownerSession(world);
  });
  beforeEach(async () => {
    mine = await makeTenant(world, first.teamId);
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    await Promise.all(streams.splice(0).map(({ ended }) => ended));
    if (!isStopped) await until(async () => (await openStreams()) === 0, 'all streams to be closed');
  });

  const openStreams = async () => {
    const shown = await registry.getSingleMetric('svc_live_streams')?.get();
    return shown?.values[0]?.value;
  };
  const listen = async (headers?: Record<string, string>, as = cookie) => {
    const stream = await openLiveStream(world.origin, mine.projectId, as, headers);
    streams.push(stream);
    return stream;
  };
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${world.origin}/graphql/clicks${path}`, { headers: { Cookie: cookie }, ...init });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  const makeLink = async () =>
    (await mine.api('POST', '/links', { destination: 'https://example.com/', tags: ['t'] })).body;
  const follow = ({ slug }: { slug: string }, agent = AGENTS.human) =>
    fetch(`${world.origin}/${slug}`, { headers: { 'User-Agent': agent }, redirect: 'manual' });
  /** As another process does. */
  const store = async (count: number, ageMs = 0) => {
    const occurredAt = clock.now() - ageMs;
    const clicks = Array.from({ length: count }, () => makeClick({ projectId: mine.projectId, occurredAt }));
    await storeClicks(clicks, { listening: () => false });
    return clicks.map(({ id }) => id);
  };
  const ids = ({ events }: LiveStream) => events.flatMap(({ event, id }) => (event === 'click' ? [id] : []));
  const untilIds = (stream: LiveStream, count: number) =>
    until(() => (ids(stream).length >= count ? ids(stream) : null), `${count} clicks in the stream`);

  it('a click comes within seconds, as link.clicked tells it', async () => {
    const link = await makeLink();
    const stream = await listen();
    expect(stream.status).to.equal(200);
    expect(stream.headers.get('content-type')).to.equal('text/event-stream; charset=utf-8');
    expect(stream.headers.get('cache-control')).to.equal('no-store');
    expect(stream.headers.get('x-accel-buffering')).to.equal('no');
    expect(stream.headers.get('content-encoding')).to.equal(null);
    await follow(link);
    await follow(link, AGENTS.bot);
    await untilIds(stream, 2);
    const { data, id } = stream.events.find(({ data: { click } }) => click.traffic_class === 'human') ?? expect.fail();
    expect(data.why).to.equal(null);
    const bot = stream.events.find(({ data: { click } }) => click?.traffic_class === 'bot');
    expect(bot?.data.why).to.include('User-Agent');
    expect(data.click).to.include({ id, platform: 'ios', device: 'mobile', destination: 'https://example.com/' });
    expect(data.link).to.deep.include({ id: link.id, short_url: link.short_url, external_id: null, tags: ['t'] });
    expect(stream.text()).to.match(/^retry: 3000\n\n/);
    await until(() => stream.text().includes('\n: alive\n\n'), 'a sign of life');
  });

  it('hears of clicks that other processes store, also late ones, each once', async () => {
    const [one, other] = [await listen(), await listen()];
    const now = await store(3);
    await untilIds(one, 3);
    const late = await store(2, 60_000);
    for (const stream of [one, other]) {
      await untilIds(stream, 5);
      expect(ids(stream).slice(0, 3)).to.have.members(now);
      expect(ids(stream).slice(3)).to.have.members(late);
    }
  });

  it('tells nobody of prefetches, of clicks from before, and of other projects', async () => {
    await store(1);
    const stream = await listen();
    const others = makeClick({ projectId: first.projectId, occurredAt: clock.now() });
    const prefetch = makeClick({ projectId: mine.projectId, occurredAt: clock.now(), trafficClass: 'prefetch' });
    await storeClicks([others, prefetch], { listening: () => false });
    const [id] = await store(1);
    expect(await untilIds(stream, 1)).to.deep.equal([id]);
  });

  it('goes on after Last-Event-ID, at most five minutes back', async () => {
    await store(1, 6 * 60_000);
    const [seen] = await store(1, 1000);
    const missed = await store(2);
    const stream = await listen({ 'Last-Event-ID': String(seen) });
    expect(await untilIds(stream, 2)).to.have.members(missed);
    const later = await store(1);
    expect((await untilIds(stream, 3)).slice(2)).to.deep.equal(later);
    expect((await listen({ 'Last-Event-ID': 'anything' })).status).to.equal(200);
  });

  it('goes on after a click that the address names, for a page that opens its stream anew', async () => {
    const [seen] = await store(1, 1000);
    const missed = await store(2);
    const stream = await openLiveStream(world.origin, `${mine.projectId}&last_event_id=${seen}`, cookie);
    streams.push(stream);
    expect(await untilIds(stream, 2)).to.have.members(missed);
  });

  it('shows 100 clicks a second and says how many it skipped', async () => {
    const stream = await listen();
    const stored = new Set(await store(250));
    await untilIds(stream, 100);
    expect(stream.events[0]).to.deep.equal({ event: 'skipped', id: null, data: { count: 150 } });
    expect(stream.events).to.have.length(101);
    for (const id of ids(stream)) expect(stored.has(String(id))).to.equal(true);
  });

  it('ends when the session ends', async () => {
    const own = await ownerSession(world);
    const stream = await listen({}, own);
    await graphql(world.origin, 'mutation { signOut }', {}, own);
    await stream.ended;
    expect((await listen({}, own)).status).to.equal(401);
  });

  it('ends when the person is removed from the team, although the session goes on', async () => {
    const member = await memberSession(world, first.teamId, 'viewer');
    const stream = await listen({}, member);
    const { data } = await graphql(world.origin, '{ me { id } }', {}, member);
    const remove =
      'mutation ($teamId: ID!, $userId: ID!) { removeMember(teamId: $teamId, userId: $userId) { keys { id } } }';
    const removed = await graphql(world.origin, remove, { teamId: first.teamId, userId: data.me.id }, cookie);
    expect(removed.errors).to.equal(undefined);
    await stream.ended;
    expect((await listen({}, member)).status).to.equal(404);
  });

  it('has so many streams for a session, and a tenth of all for a person and for a team', async () => {
    for (let open = 0; open < 10; open += 1) expect((await listen()).status).to.equal(200);
    const path = `?project_id=${mine.projectId}`;
    expectError(await ask(path), 429, 'rate_limited');
    const member = await memberSession(world, first.teamId, 'viewer');
    for (let open = 0; open < 2; open += 1) expect((await listen({}, member)).status).to.equal(200);
    const refused = await ask(path, { headers: { Cookie: member } });
    expectError(refused, 429, 'rate_limited');
    expect((refused.body as { error: { message: string } }).error.message).to.include('team');
    expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
  });

  it('refuses whoever may not read the analytics of the project', async () => {
    const path = `?project_id=${mine.projectId}`;
    expectError(await ask(path, { headers: {} }), 401, 'not_signed_in');
    expectError(await ask(path, { headers: { Authorization: `Bearer ${world.secretKey}` } }), 401, 'not_signed_in');
    const others = await makeTenant(world);
    expectError(await ask(`?project_id=${others.projectId}`), 404, 'not_found');
    expectError(await ask('?project_id=%00'), 404, 'not_found');
    expectError(await ask(''), 422, 'validation_failed');
    const posted = await ask(path, { method: 'POST', headers: { Cookie: cookie } });
    expectError(posted, 405, 'method_not_allowed');
    expect(posted.headers.get('allow')).to.equal('GET');
  });

  it('the product stops although streams are open, and somebody takes nothing', async () => {
    const stream = await listen();
    const url = `${world.origin}/graphql/clicks?project_id=${mine.projectId}`;
    const stalled = get(url, { headers: { Cookie: cookie } }, (response) => void response.pause());
    stalled.on('error', () => {});
    await until(async () => (await openStreams()) === 2, 'both streams');
    const startedAt = performance.now();
    await world.stop();
    await stream.ended;
    expect(performance.now() - startedAt).to.be.lessThan(10_000);
    stalled.destroy();
    isStopped = true;
  });
});
