// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { resetQuotas } from '../../../src/access/quotas.ts';
import { resolveDailyLimitAlerts } from '../../../src/alerts/dailyLimitAlerts.ts';
import { query } from '../../../src/db/query.ts';
import { clock, DAY_MS } from '../../../src/kernel/clock.ts';
import type { Reply } from '../../support/api.ts';
import { createLink } from '../../support/createLink.ts';
import { expectError, expectInvalid } from '../../support/expectError.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { expectMatch, expectNone, newAddress, type Sdk, sdkOf, startSdkWorld, visit } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { firstTenant, makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import { walk } from '../../support/walk.ts';
import type { World } from '../../support/world.ts';

const OF_ADDRESS = 20;
const OF_KEY = 30;
const REQUESTS_OF_KEY = 40;
const EVENTS_OF_DAY = 50;
const INSTALLS_OF_DAY = 10;
const NAMES = 8;

const many = (count: number, name = 'step') => ({ events: Array.from({ length: count }, () => ({ name })) });

describe('what a public key can make grow', () => {
  let world: World;
  let mine: Tenant;
  let sdk: Sdk;

  before(async () => {
    world = await startSdkWorld({
      RATE_LIMIT_PUBLISHABLE_PER_MINUTE: String(REQUESTS_OF_KEY),
      RATE_LIMIT_ADDRESS_EVENTS_PER_MINUTE: String(OF_ADDRESS),
      RATE_LIMIT_EVENTS_PER_MINUTE: String(OF_KEY),
      SDK_EVENTS_PER_DAY: String(EVENTS_OF_DAY),
      SDK_INSTALLS_PER_DAY: String(INSTALLS_OF_DAY),
      EVENT_NAMES_PER_PROJECT: String(NAMES),
    });
  });
  after(() => world.stop());
  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    sdk = await sdkOf(mine);
  });
  afterEach(() => clock.reset());

  const stored = async (table = 'app_events') => {
    const [row] = await query<{ count: number }>(
      `SELECT CAST(COUNT(*) AS INTEGER) AS count FROM ${table} WHERE project_id = :id`,
      { id: mine.projectId },
    );
    return row?.count;
  };
  const expectRefused = (reply: Reply, limit: number, what: string) => {
    expectError(reply, 429, 'rate_limited');
    expect(reply.body.error.message).to.include(`More than ${limit} ${what}`);
    expect(Number(reply.headers.get('retry-after'))).to.be.at.least(1);
  };
  /** An install that has told of its first opening. */
  const knownInstall = async (from = newAddress()) => {
    const install_id = randomUUID();
    const { body } = await sdk.open({ install_id }, { from });
    expect(body.match.factors[0].name).to.not.equal('rate_limited');
    return { install_id, from };
  };
  const alerts = async () => (await walk(mine.api, '/alerts', {})).filter(({ kind }) => kind === 'billing');
  const analytics = async (query: string) => (await mine.api('GET', `/analytics?event=app_event&${query}`)).body;

  it('is counted without a word in the store of the install or its address', async () => {
    const { install_id, from } = await knownInstall();
    await sdk.event({ install_id, ...many(2) }, { from });
    const keys = (await query<{ key: string }>('SELECT key FROM rate_limits')).map(({ key }) => key).join('\n');
    expect(keys).to.include(mine.projectId);
    for (const secret of [install_id, from]) expect(keys).to.not.include(secret);
  });

  describe('events in a minute', () => {
    it('are counted one by one for a key and address; of a call that is too many nothing is stored', async () => {
      const from = newAddress();
      expect((await sdk.event(many(OF_ADDRESS - 1), { from })).status).to.equal(202);
      expectRefused(await sdk.event(many(2), { from }), OF_ADDRESS, 'events in this window');
      expect(await stored()).to.equal(OF_ADDRESS - 1);
      // What was refused has used up nothing.
      const last = await sdk.event({}, { from });
      expect(last.status).to.equal(202);
      expect(Number(last.headers.get('ratelimit-remaining'))).to.equal(0);
      expectRefused(await sdk.event({}, { from }), OF_ADDRESS, 'events in this window');
      expect((await sdk.event({}, { from: newAddress() })).status).to.equal(202);
    });

    it('are counted for a key wherever they come from; an address that is over its own uses up nothing of that', async () => {
      const from = newAddress();
      expect((await sdk.event(many(OF_ADDRESS), { from })).status).to.equal(202);
      for (let at = 0; at < 3; at += 1) expect((await sdk.event(many(10), { from })).status).to.equal(429);
      expect((await sdk.event(many(OF_KEY - OF_ADDRESS), { from: newAddress() })).status).to.equal(202);
      expectRefused(await sdk.event({}, { from: newAddress() }), OF_KEY, 'events in this window');
      const other = await sdkOf(mine);
      expect((await other.event({}, { from })).status).to.equal(202);
    });

    it('and requests of made-up installs use up nothing that known ones need', async () => {
      const known = await knownInstall();
      expect((await sdk.event(many(OF_ADDRESS), { from: known.from })).status).to.equal(202);
      expect((await sdk.event(many(OF_KEY - OF_ADDRESS), { from: newAddress() })).status).to.equal(202);
      expect((await sdk.event({}, { from: known.from })).status).to.equal(429);
      expect((await sdk.event({ install_id: known.install_id, name: 'a' }, { from: known.from })).status).to.equal(202);
      for (let at = 0; at < REQUESTS_OF_KEY; at += 1) await sdk.resolve('x', { from: newAddress() });
      expectRefused(await sdk.event({}, { from: newAddress() }), REQUESTS_OF_KEY, 'requests in this window');
      expectNone(await sdk.open({}, { from: newAddress() }), 'rate_limited');
      const reply = await sdk.event({ install_id: known.install_id, name: 'b' }, { from: known.from });
      expect(reply.status).to.equal(202);
      expect(Number(reply.headers.get('ratelimit-remaining'))).to.be.above(0);
      const opened = await sdk.open({ install_id: known.install_id.toUpperCase(), first_open: false });
      expect(opened.body.match.factors[0].name).to.equal('not_first_open');
      expectInvalid(await sdk.event({ install_id: known.install_id, name: 5 }), 'name');
      for (const install_id of [5, null, 'x', 'x'.repeat(5000)]) {
        expectRefused(await sdk.event({ install_id }), REQUESTS_OF_KEY, 'requests in this window');
      }
    });
  });

  describe('in a UTC day', () => {
    const NOON = Date.UTC(2027, 4, 5, 12);

    it('a project has so many events; 429 until midnight, an alert before, and a restart begins no new day', async () => {
      const now = stopClock(NOON);
      const send = (count: number, app = sdk) => app.event(many(count), { from: newAddress() });
      expect((await send(20)).status).to.equal(202);
      expect((await send(10)).status).to.equal(202);
      const other = await sdkOf(mine);
      expect((await send(9, other)).status).to.equal(202);
      expect(await alerts()).to.deep.equal([]);
      expect((await send(1, other)).status).to.equal(202);
      const [alert] = await until(async () => ((await alerts()).length ? alerts() : null), 'the alert');
      expect(alert).to.include({ severity: 'warning', resolved_at: null });
      expect(alert.details).to.deep.equal({ of: 'events', limit: EVENTS_OF_DAY, day: '2027-05-05' });
      expect((await send(10, other)).status).to.equal(202);
      const third = await sdkOf(mine);
      const refused = await send(1, third);
      expectRefused(refused, EVENTS_OF_DAY, 'events today (UTC)');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(12 * 3600 - 5, 12 * 3600);
      expect(await stored()).to.equal(EVENTS_OF_DAY);
      resetQuotas();
      expect((await send(1, third)).status).to.equal(429);
      expect(await alerts()).to.have.length(1);

      now.move(12 * 3600);
      expect((await send(1, third)).status).to.equal(202);
      await resolveDailyLimitAlerts();
      expect((await alerts())[0].resolved_at).to.not.equal(null);
    });

    it('a project has so many new installs; others are answered without a match, known ones as ever', async () => {
      stopClock(NOON + DAY_MS);
      const link = await createLink(mine.api, { destination: 'https://www.example.com/' });
      const url = `${world.origin}/${link.slug}`;
      const first = await knownInstall();
      for (let at = 1; at < INSTALLS_OF_DAY; at += 1) await knownInstall();
      const refused = await sdk.open({ url });
      expectNone(refused, 'rate_limited');
      expect(Number(refused.headers.get('retry-after'))).to.be.within(12 * 3600 - 5, 12 * 3600);
      expect([await stored('installs'), await stored('opens')]).to.deep.equal([INSTALLS_OF_DAY, INSTALLS_OF_DAY]);
      expectMatch(await sdk.open({ install_id: first.install_id, first_open: false, url }), 'link', link);
      expect((await sdk.event({ install_id: first.install_id })).status).to.equal(202);
      const [alert] = await until(async () => ((await alerts()).length ? alerts() : null), 'the alert');
      expect(alert.details.of).to.equal('new_installs');
    });
  });

  describe('names of events', () => {
    const names = async () => {
      const { data } = await analytics('group_by=event_name&interval=7d');
      return Object.fromEntries(data.map(({ key, count }: { key: string; count: number }) => [key, count]));
    };

    it('beyond those of a project count as other; what is told of the event keeps its own', async () => {
      const send = async (...list: string[]) => {
        const events = list.map((name) => ({ name }));
        expect((await sdk.event({ events }, { from: newAddress() })).status).to.equal(202);
      };
      const first = Array.from({ length: NAMES - 1 }, (_, at) => `step ${at}`);
      await send(...first);
      await send('last', 'late', 'later', 'last');
      await send('late', 'step 0');
      const expected = Object.fromEntries(first.map((name) => [name, name === 'step 0' ? 2 : 1]));
      expect(await names()).to.deep.equal({ ...expected, last: 2, other: 3 });
      expect((await analytics('event_name=other')).total.count).to.equal(3);
      const told = await until(async () => {
        const events = await walk(mine.api, '/events', { type: 'app.event', limit: '100' });
        return events.length === NAMES + 5 ? events.map(({ data }) => data.event.name) : null;
      }, 'the events');
      expect(told.filter((name) => name === 'late')).to.have.length(2);
    });

    it('that have not come for a month give up their places', async () => {
      const now = stopClock();
      const send = async (...list: string[]) => {
        const events = list.map((name) => ({ name }));
        expect((await sdk.event({ events }, { from: newAddress() })).status).to.equal(202);
      };
      await send(...Array.from({ length: NAMES }, (_, at) => `step ${at}`));
      now.move((20 * DAY_MS) / 1000);
      await send('step 0');
      now.move((11 * DAY_MS) / 1000);
      await send('step 0', 'new');
      now.move(1);
      expect(await names()).to.deep.equal({ 'step 0': 1, new: 1 });
      const rows = await query<{ name: string }>('SELECT name FROM event_names WHERE project_id = :id ORDER BY name', {
        id: mine.projectId,
      });
      expect(rows.map(({ name }) => name)).to.deep.equal(['new', 'step 0']);
    });
  });

  describe('openings by a link', () => {
    it('of installs that were unknown use up no click limit; those of known ones do', async () => {
      const link = await createLink(mine.api, { destination: 'https://www.example.com/', click_limit: 2 });
      const url = `${world.origin}/${link.slug}`;
      const known = await knownInstall();
      for (let at = 0; at < 4; at += 1) expectMatch(await sdk.open({ url }, { from: newAddress() }), 'link', link);
      const clicks = async () => (await mine.api('GET', `/links/${link.id}`)).body.clicks;
      expect(await clicks()).to.equal(0);
      expectMatch(await sdk.open({ install_id: known.install_id, first_open: false, url }), 'link', link);
      expect(await clicks()).to.equal(1);
      await visit(world, link);
      expect((await fetch(url, { headers: { 'User-Agent': 'x' }, redirect: 'manual' })).status).to.equal(410);
      const total = async () => (await mine.api('GET', `/analytics?link=${link.id}`)).body.total.count;
      await until(async () => (await total()) === 6, 'all clicks in the figures');
    });

    it('count on links without a limit, whoever opens', async () => {
      const link = await createLink(mine.api, { destination: 'https://www.example.com/' });
      await sdk.open({ url: `${world.origin}/${link.slug}` });
      expect((await mine.api('GET', `/links/${link.id}`)).body.clicks).to.equal(1);
    });
  });

  it('is reached on no Host that is none, also where the SDK has no host of its own', async () => {
    const body = JSON.stringify({ install_id: randomUUID(), name: 'a' });
    const ask = {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', 'X-SVC-Key': world.publishableKey },
    };
    expect((await rawRequest(world.origin, '/v1/sdk/event', ask)).status).to.equal(202);
    for (const host of ['', 'localhost:7400.evil.com', 'a@b', 'a b', '[::1', 'x'.repeat(300)]) {
      const { status } = await rawRequest(world.origin, '/v1/sdk/event', { ...ask, host });
      expect(status, host).to.be.oneOf([400, 404]);
    }
  });

  describe('values', () => {
    const project = (fields: object) => mine.api('PATCH', `/projects/${mine.projectId}`, fields);

    it('beyond max_event_value of the project are outliers: the events count, the sums go without', async () => {
      expect((await mine.api('GET', `/projects/${mine.projectId}`)).body.max_event_value).to.equal(1_000_000);
      const send = (value: number | null, id: string) => sdk.event({ id, value, currency: 'EUR' });
      await send(1_000_000, 'largest');
      await send(1_000_000.01, 'beyond');
      await send(-1e12, 'below');
      expect((await project({ max_event_value: 99.5 })).body.max_event_value).to.equal(99.5);
      await send(99.6, 'now beyond');
      await send(99.5, 'still fine');
      await send(null, 'none');
      const { total } = await analytics('interval=24h');
      expect(total.count).to.equal(6);
      expect(total.values).to.deep.equal([{ currency: 'EUR', sum: 1_000_099.5 }]);
      const outliers = await until(async () => {
        const events = await walk(mine.api, '/events', { type: 'app.event' });
        return events.length === 6 ? events.filter(({ data }) => data.event.outlier) : null;
      }, 'the events');
      expect(outliers.map(({ data }) => data.event.id).sort()).to.deep.equal(['below', 'beyond', 'now beyond']);
    });

    it('422 for a max_event_value that is none', async () => {
      for (const max_event_value of [-1, 1e12 + 1, null, '5', true]) {
        expectInvalid(await project({ max_event_value }), 'max_event_value');
      }
    });
  });
});
