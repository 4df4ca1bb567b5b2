// stores: each
import { expect } from 'chai';
import { config } from '../../../src/kernel/config.ts';
import type { Reply } from '../../support/api.ts';
import { expectError } from '../../support/expectError.ts';
import { firstTenant, makeKey, ownerSession, type Tenant } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

const LIMIT = 20;
const ADDRESS_LIMIT = 15;

describe('rate limits', () => {
  let world: World;
  let mine: Tenant;
  let session: string;

  before(async () => {
    world = await startWorld({
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      RATE_LIMIT_ADDRESS_PER_MINUTE: String(ADDRESS_LIMIT),
      TRUSTED_PROXIES: '127.0.0.1',
    });
    mine = await firstTenant(world);
    session = await ownerSession(world);
  });
  after(() => world.stop());

  const newApi = async () => world.api.as((await makeKey(world, session, { projectId: mine.projectId })).key);
  const quota = ({ headers }: Reply) =>
    ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'].map((name) => Number(headers.get(name)));
  const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } });

  it('tells the quota of the key on every answer, whatever it is', async () => {
    const api = await newApi();
    const replies = [
      await api('GET', '/team'),
      await api('GET', '/links/nothing'),
      await api('GET', '/nothing'),
      await api('PATCH', '/links'),
      await api('POST', '/links', { destination: 1 }),
      await api('GET', '/openapi.json'),
    ];
    replies.forEach((reply, index) => {
      const [limit, remaining, reset] = quota(reply);
      expect([limit, remaining]).to.deep.equal([LIMIT, LIMIT - 1 - index]);
      expect(reset).to.be.within(1, 60);
    });
  });

  it('429 over the quota, with Retry-After not before the reset; other keys go on', async () => {
    const api = await newApi();
    const replies = await Promise.all(Array.from({ length: LIMIT + 5 }, () => api('GET', '/team')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).to.have.length(5);
    for (const reply of refused) {
      expectError(reply, 429, 'rate_limited');
      const [, remaining, reset] = quota(reply);
      expect(remaining).to.equal(0);
      expect(Number(reply.headers.get('retry-after'))).to.be.at.least(reset as number);
    }
    expect((await (await newApi())('GET', '/team')).status).to.equal(200);
    // Decided before scope and body, after the route.
    expectError(await api('POST', '/links', undefined, { raw: '{' }), 429, 'rate_limited');
    expectError(await api('GET', '/nothing'), 404, 'not_found');
  });

  it('counts an address without a valid key, an IPv6 network as one', async () => {
    const call = (address: string) => world.api.as(null)('GET', '/team', undefined, from(address));
    const first = await call('2001:db8:1:2::1');
    expectError(first, 401, 'missing_key');
    expect(quota(first).slice(0, 2)).to.deep.equal([ADDRESS_LIMIT, ADDRESS_LIMIT - 1]);
    for (let at = 2; at <= ADDRESS_LIMIT; at += 1) await call(`2001:db8:1:2::${at}`);
    expectError(await call('2001:db8:1:2:ffff::1'), 429, 'rate_limited');
    expectError(await call('2001:db8:1:3::1'), 401, 'missing_key');
    const bad = world.api.as('sk_live_unknown');
    expectError(await bad('GET', '/team', undefined, from('2001:db8:1:2::1')), 429, 'rate_limited');
    // A key that is good is not held up by what others did from its address.
    const good = await newApi();
    expect((await good('GET', '/team', undefined, from('2001:db8:1:2::1'))).status).to.equal(200);
  });

  it('counts a publishable key against its own quota', async () => {
    const reply = await world.api.as(world.publishableKey)('GET', '/team');
    expectError(reply, 403, 'publishable_key_refused');
    expect(quota(reply)[0]).to.equal(config.rateLimitPublishableAddressPerMinute);
  });
});
