// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import type { Reply } from '../../support/api.ts';
import { createLink, type MadeLink } from '../../support/createLink.ts';
import { expectError } from '../../support/expectError.ts';
import {
  expectMatch,
  expectNone,
  newAddress,
  type Sdk,
  sdkOf,
  sdkWith,
  startSdkWorld,
  visit,
} from '../../support/sdk.ts';
import { makeTenant, type Tenant } from '../../support/tenants.ts';
import { until } from '../../support/until.ts';
import type { World } from '../../support/world.ts';

const OF_KEY = 30;
const OF_ADDRESS = 20;
const OF_INSTALL = 5;
const WITHOUT_KEY = 8;
const WINDOW_SECONDS = 3;

describe('quotas of apps', () => {
  let world: World;
  let mine: Tenant;
  let link: MadeLink;
  /** With a key of its own. */
  let sdk: Sdk;

  before(async () => {
    world = await startSdkWorld({
      RATE_LIMIT_PUBLISHABLE_PER_MINUTE: String(OF_KEY),
      RATE_LIMIT_PUBLISHABLE_ADDRESS_PER_MINUTE: String(OF_ADDRESS),
      RATE_LIMIT_INSTALL_PER_MINUTE: String(OF_INSTALL),
      RATE_LIMIT_ADDRESS_PER_MINUTE: String(WITHOUT_KEY),
      RATE_LIMIT_WINDOW_SECONDS: String(WINDOW_SECONDS),
    });
    mine = await makeTenant(world);
    link = await createLink(mine.api, { destination: 'https://www.example.com/' });
  });
  after(() => world.stop());
  beforeEach(async () => {
    sdk = await sdkOf(mine);
  });

  const quota = ({ headers }: Reply) =>
    ['ratelimit-limit', 'ratelimit-remaining'].map((name) => Number(headers.get(name)));
  const expectSpent = (reply: Reply, limit: number) => {
    expect(quota(reply)).to.deep.equal([limit, 0]);
    const reset = Number(reply.headers.get('ratelimit-reset'));
    expect(reset).to.be.within(1, WINDOW_SECONDS);
    expect(Number(reply.headers.get('retry-after'))).to.be.at.least(reset);
  };
  const rowsOf = async (install_id: string) => {
    const tables = ['installs', 'opens', 'app_events', 'match_reports', 'used_clicks'];
    const counts = tables.map((table) =>
      query(`SELECT 1 AS one FROM ${table} WHERE install_id = :id`, { id: install_id }),
    );
    return (await Promise.all(counts)).map((rows) => rows.length);
  };

  it('are told on every answer, of the one that is nearest to empty', async () => {
    const [install_id, from] = [randomUUID(), newAddress()];
    expect(quota(await sdk.resolve('x', { from }))).to.deep.equal([OF_ADDRESS, OF_ADDRESS - 1]);
    expect(quota(await sdk.resolve(5, { from }))).to.deep.equal([OF_ADDRESS, OF_ADDRESS - 2]);
    expect(quota(await sdk.event({ install_id }, { from }))).to.deep.equal([OF_INSTALL, OF_INSTALL - 1]);
    // What is refused for its fields is no request of the install.
    expect(quota(await sdk.event({ install_id, name: 5 }, { from }))).to.deep.equal([OF_ADDRESS, OF_ADDRESS - 4]);
    const asOpen = { install_id: install_id.toUpperCase(), first_open: false };
    expect(quota(await sdk.open(asOpen, { from }))).to.deep.equal([OF_INSTALL, OF_INSTALL - 2]);
    for (let at = 0; at < 10; at += 1) await sdk.resolve('x', { from });
    expect(quota(await sdk.event({ install_id }, { from }))).to.deep.equal([OF_INSTALL, OF_INSTALL - 3]);
    for (let at = 0; at < 3; at += 1) await sdk.resolve('x', { from });
    expect(quota(await sdk.event({ install_id }, { from }))).to.deep.equal([OF_ADDRESS, 0]);
  });

  it('429 for events of an install that sends too many; others go on, in other projects the same one too', async () => {
    const install_id = randomUUID();
    for (let at = 0; at < OF_INSTALL; at += 1) expect((await sdk.event({ install_id })).status).to.equal(202);
    const refused = await sdk.event({ install_id });
    expectError(refused, 429, 'rate_limited');
    expectSpent(refused, OF_INSTALL);
    expect(await rowsOf(install_id)).to.deep.equal([0, 0, OF_INSTALL, 0, 0]);
    expect((await sdk.event()).status).to.equal(202);
    const others = await sdkOf(await makeTenant(world));
    expect((await others.event({ install_id })).status).to.equal(202);
  });

  it('200 without a match for an opening over the quota; a later one still finds its click', async () => {
    const [install_id, from] = [randomUUID(), newAddress()];
    await visit(world, link, { from });
    for (let at = 0; at < OF_INSTALL; at += 1) await sdk.event({ install_id }, { from });
    const before = await rowsOf(install_id);
    const reply = await sdk.open({ install_id }, { from });
    expectNone(reply, 'rate_limited');
    expectSpent(reply, OF_INSTALL);
    expect(reply.body.open_id).to.match(/^[0-9a-f-]{36}$/);
    expect(await rowsOf(install_id)).to.deep.equal(before);
    const later = await until(async () => {
      const asked = await sdk.open({ install_id }, { from });
      return asked.body.match.factors[0].name === 'rate_limited' ? null : asked;
    }, 'the end of the window');
    expectMatch(later, 'probabilistic', link);
    expect(later.headers.get('retry-after')).to.equal(null);
  });

  it('are of a key from one address, an IPv6 network as one; other addresses go on', async () => {
    const network = `2001:db8:${newAddress().split('.').at(-1)}:1`;
    for (let at = 0; at < OF_ADDRESS; at += 1) {
      expect((await sdk.resolve('x', { from: `${network}::${at}` })).status).to.equal(200);
    }
    const from = `${network}:ffff::1`;
    for (const refused of [await sdk.resolve('x', { from }), await sdk.event({}, { from })]) {
      expectError(refused, 429, 'rate_limited');
      expectSpent(refused, OF_ADDRESS);
    }
    const install_id = randomUUID();
    expectNone(await sdk.open({ install_id }, { from }), 'rate_limited');
    expect(await rowsOf(install_id)).to.deep.equal([0, 0, 0, 0, 0]);
    expect((await sdk.event({}, { from: newAddress() })).status).to.equal(202);
    const other = await sdkOf(mine);
    expect((await other.event({}, { from })).status).to.equal(202);
  });

  it('are of a key, wherever it is used; other keys of the project go on', async () => {
    for (let at = 0; at < OF_KEY; at += 1) {
      expect((await sdk.resolve('x', { from: newAddress() })).status).to.equal(200);
    }
    const refused = await sdk.event({}, { from: newAddress() });
    expectError(refused, 429, 'rate_limited');
    expectSpent(refused, OF_KEY);
    expectNone(await sdk.open({}, { from: newAddress() }), 'rate_limited');
    expect((await (await sdkOf(mine)).event({}, { from: newAddress() })).status).to.equal(202);
  });

  it('are decided after the route and before the body', async () => {
    const from = newAddress();
    const api = await mine.sdk();
    const [ofKey, options] = [sdkWith(api), { headers: { 'X-Forwarded-For': from } }];
    for (let at = 0; at < OF_ADDRESS; at += 1) await ofKey.resolve('x', { from });
    expectError(await api('POST', '/event', undefined, { ...options, raw: '{' }), 429, 'rate_limited');
    expectError(await api('POST', '/nothing', {}, options), 404, 'not_found');
    expectError(await api('GET', '/event', undefined, options), 405, 'method_not_allowed');
  });

  it('429 for an address that has no good key, also when it opens an app; good keys go on there', async () => {
    const options = { headers: { 'X-Forwarded-For': newAddress() } };
    const api = await mine.sdk();
    const body = { install_id: randomUUID(), first_open: true, platform: 'ios' };
    for (let at = 0; at < WITHOUT_KEY; at += 1) {
      const key = at % 2 ? null : 'pk_live_unknown';
      const reply = await api.as(key)('POST', '/open', body, options);
      expectError(reply, 401, key ? 'invalid_key' : 'missing_key');
      expect(quota(reply)).to.deep.equal([WITHOUT_KEY, WITHOUT_KEY - 1 - at]);
    }
    for (const key of [null, 'pk_live_unknown']) {
      for (const path of ['/open', '/event', '/resolve']) {
        const refused = await api.as(key)('POST', path, body, options);
        expectError(refused, 429, 'rate_limited');
        expectSpent(refused, WITHOUT_KEY);
        expect(refused.headers.get('access-control-allow-origin')).to.equal('*');
      }
    }
    expect((await api('POST', '/open', body, options)).status).to.equal(200);
  });

  it('leave preflights alone', async () => {
    const from = newAddress();
    const headers = {
      'X-Forwarded-For': from,
      Origin: 'https://a.example.com',
      'Access-Control-Request-Method': 'POST',
    };
    const api = await mine.sdk();
    for (let at = 0; at <= WITHOUT_KEY + 1; at += 1) {
      expect((await api.as(null)('OPTIONS', '/open', undefined, { headers })).status).to.equal(204);
    }
  });
});
