// stores: postgres
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Product, startProduct } from '../../../app/product.ts';
import { loadConfig } from '../../../src/kernel/config.ts';
import { AGENTS } from '../../support/agents.ts';
import { type Api, apiOf } from '../../support/api.ts';
import { type Child, freePort, startChild } from '../../support/child.ts';
import { expectError } from '../../support/expectError.ts';
import { type HeldLine, holdableLine } from '../../support/holdableLine.ts';
import { rawRequest } from '../../support/rawRequest.ts';
import { makeStore, STORE, type Store } from '../../support/stores.ts';
import { until } from '../../support/until.ts';

/** Beyond what the contract says, for machines that are busy. */
const LATE_MS = 3000;

describe('a store that hangs', () => {
  let store: Store;
  let line: HeldLine;
  let product: Product;
  let origin: string;
  let api: Api;
  let redirects: Child;

  before(async function () {
    this.timeout(180_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED) this.skip();
    store = await makeStore();
    line = await holdableLine(String(store.env.DATABASE_URL));
    const env = { ...store.env, DATABASE_URL: line.url, DATABASE_POOL_SIZE: '4' };
    loadConfig({ LOG_LEVEL: 'silent', PORT: '0', HOST: '127.0.0.1', ALLOW_PRIVATE_TARGETS: 'true', ...env });
    let key = '';
    product = await startProduct({ onFirstStart: ({ secretKey }) => (key = secretKey) });
    origin = `http://127.0.0.1:${product.port}`;
    api = apiOf(origin, key);
    for (const slug of ['known', 'cold-1', 'cold-2'])
      await api('POST', '/links', { destination: 'https://example.com/', slug });
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'limited', click_limit: 32 });
    const added = (await api('POST', '/domains', { hostname: 'hangs.localhost' })).body;
    await api('POST', `/domains/${added.id}/verify`);
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'theirs', domain: 'hangs.localhost' });
    // The process has leased two clicks of the limit then.
    expect((await visit('limited')).status).to.equal(302);
    expect([(await follow('known')).status, (await follow('theirs', 'hangs.localhost')).status]).to.deep.equal([
      302, 302,
    ]);
    const own = { DATA_DIR: `${store.dataDir}/redirects`, ROLE: 'redirect', LINK_DOMAIN: 'go.localhost' };
    redirects = await startChild(await freePort(), { ...env, ...own });
    const slow = await api('POST', '/links', {
      destination: 'https://example.com/',
      slug: 'shared',
      domain: 'hangs.localhost',
    });
    expect(slow.status).to.equal(201);
    expect((await rawRequest(redirects.origin, '/shared', { host: 'hangs.localhost' })).status).to.equal(302);
  });
  after(async () => {
    line?.release();
    await redirects?.kill();
    await product?.stop();
    await line?.close();
    await store?.remove();
  });

  const follow = (slug: string, host?: string) => rawRequest(origin, `/${slug}`, host ? { host } : {});
  const visit = (slug: string) => rawRequest(origin, `/${slug}`, { headers: { 'User-Agent': AGENTS.human } });
  const timed = async <Result>(asking: Promise<Result>): Promise<{ result: Result; tookMs: number }> => {
    const startedAt = performance.now();
    return { result: await asking, tookMs: performance.now() - startedAt };
  };

  it('holds up no link in memory, and answers everything else in time', async function () {
    this.timeout(120_000);
    // So long that the heartbeats are those of an idle process.
    await delay(1500);
    // Once more: the announcement of its creation may arrive after it was first followed, and makes it be forgotten.
    expect((await rawRequest(redirects.origin, '/shared', { host: 'hangs.localhost' })).status).to.equal(302);
    line.hold();
    const [ready, first] = await Promise.all([timed(rawRequest(origin, '/readyz')), timed(api('GET', '/links'))]);
    expect([ready.result.status, ready.tookMs < 1000 + LATE_MS]).to.deep.equal([503, true]);
    expectError(first.result, 503, 'unavailable');
    expect(first.tookMs).to.be.lessThan(2000 + LATE_MS);
    // The listening connection is given up meanwhile, from when on everything is asked for anew.
    await delay(1500);
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all([timed(follow('known')), timed(follow('theirs', 'hangs.localhost'))]);
      expect(answers.map(({ result }) => result.status)).to.deep.equal([302, 302]);
      expect(Math.max(...answers.map(({ tookMs }) => tookMs))).to.be.lessThan(100 + LATE_MS / 3);
    }
    const people = [await timed(visit('limited')), await timed(visit('limited'))];
    expect(people.map(({ result }) => result.status)).to.deep.equal([302, 503]);
    expect(Math.max(...people.map(({ tookMs }) => tookMs))).to.be.lessThan(100 + LATE_MS / 3);
    const cold = await Promise.all(['cold-1', 'cold-2', 'nobody'].map((slug) => timed(follow(slug))));
    const foreign = await timed(follow('known', 'nobody.example.com'));
    for (const { result, tookMs } of [...cold, foreign]) {
      expect([result.status, result.headers['retry-after']]).to.deep.equal([503, '5']);
      expect(tookMs).to.be.lessThan(2000 + LATE_MS);
    }
    const apart = await Promise.all([
      timed(rawRequest(redirects.origin, '/readyz')),
      timed(rawRequest(redirects.origin, '/shared', { host: 'hangs.localhost' })),
    ]);
    expect(
      apart.map(({ result }) => result.status),
      'a process that only follows links',
    ).to.deep.equal([200, 302]);
    const refused = await timed(api('GET', '/links'));
    expectError(refused.result, 503, 'unavailable');
    expect(refused.tookMs).to.be.lessThan(2000 + LATE_MS);
  });

  it('is found again when it answers, with connections that had to be given up made anew', async function () {
    this.timeout(120_000);
    // Long enough for all of them.
    await delay(5000);
    expect((await follow('known')).status).to.equal(302);
    line.release();
    await until(
      async () => (await rawRequest(origin, '/readyz')).status === 200,
      'the store to be found again',
      30_000,
    );
    await until(async () => (await visit('limited')).status === 302, 'another share', 30_000);
    await until(async () => (await follow('cold-1')).status === 302, 'the other links to be found', 30_000);
    expect((await follow('nobody')).status).to.equal(404);
    await until(async () => (await api('GET', '/links')).status === 200, 'the API to answer', 30_000);
    const [link] = (await api('GET', '/links?search=known')).body.data;
    await api('PATCH', `/links/${link.id}`, { destination: 'https://example.org/changed' });
    await until(
      async () => (await follow('known')).headers.location === 'https://example.org/changed',
      'the change',
      30_000,
    );
  });
});
