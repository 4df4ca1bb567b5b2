// plays, stores: postgres
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { AGENTS } from '../support/agents.ts';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** The same in every process, whatever its port. */
const LINK_DOMAIN = 'go.example.com';
/** While so much is left, the first visitor's process takes 20 at once; see decideShare.ts. */
const LARGE = 320;
const TAKEN = 20;

describe('a click limit that two processes share', function () {
  this.timeout(600_000);
  let store: Store;
  let folder: string;
  let one: Child;
  let two: Child;
  let api: Api;

  const startTwo = async (port: number) =>
    startChild(port, {
      ...store.env,
      LINK_DOMAIN,
      DATA_DIR: folder,
      ROLE: 'redirect',
      // Its clicks stay in its journal.
      CLICK_DRAIN_MILLISECONDS: '600000',
    });

  before(async () => {
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') return;
    store = await makeStore();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    one = await startChild(await freePort(), { ...store.env, LINK_DOMAIN });
    two = await startTwo(await freePort());
    api = apiOf(one.origin, one.secretKey);
  });
  beforeEach(function () {
    if (!store) this.skip();
  });
  after(async () => {
    await two?.kill();
    await one?.kill();
    await store?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const visit = async ({ origin }: Child, slug: string) => {
    const headers = { 'User-Agent': AGENTS.human, Host: LINK_DOMAIN };
    const [response] = await once(get(`${origin}/${slug}`, { headers, agent: false }), 'response');
    response.resume();
    await once(response, 'end');
    return response as { statusCode: number; headers: Record<string, string> };
  };
  /** So many people at once, in turns at these processes; how often each status was the answer. */
  const crowd = async (children: Child[], slug: string, people: number) => {
    const visits = Array.from({ length: people }, (_, at) => visit(children[at % children.length] as Child, slug));
    const counts: Record<number, number> = {};
    for (const { statusCode } of await Promise.all(visits)) counts[statusCode] = (counts[statusCode] ?? 0) + 1;
    return counts;
  };
  const pass = (child: Child, slug: string) =>
    until(async () => (await visit(child, slug)).statusCode === 302, 'a visitor to pass');
  const create = async (slug: string, limit: number) =>
    (await api('POST', '/links', { destination: 'https://example.com/', slug, click_limit: limit })).body.id as string;

  it('lets exactly as many people pass as it says, and more when it is raised', async () => {
    const id = await create('twenty', 20);
    const passed: number[] = [];
    for (let wave = 0; wave < 4; wave += 1) passed.push((await crowd([one, two], 'twenty', 20))[302] ?? 0);
    expect(passed.reduce((sum, count) => sum + count)).to.equal(20);
    expect(await crowd([one, two], 'twenty', 10)).to.deep.equal({ 410: 10 });
    await api('PATCH', `/links/${id}`, { click_limit: 30 });
    let more = 0;
    await until(async () => {
      more += (await crowd([one, two], 'twenty', 20))[302] ?? 0;
      return more >= 10;
    }, 'ten more');
    expect(await crowd([one, two], 'twenty', 10)).to.deep.equal({ 410: 10 });
    expect(more).to.equal(10);
  });

  it('calls back what another process has not used', async () => {
    await create('idle', LARGE);
    await pass(two, 'idle');
    let passed = 0;
    await until(async () => {
      passed += (await crowd([one], 'idle', 40))[302] ?? 0;
      return passed >= LARGE - 1;
    }, 'everybody else');
    expect(passed).to.equal(LARGE - 1);
  });

  it('keeps within its share while the store is away, and says 503 beyond it', async () => {
    await create('away', LARGE);
    await pass(one, 'away');
    await store.goAway?.();
    expect(await crowd([one], 'away', TAKEN - 1)).to.deep.equal({ 302: TAKEN - 1 });
    const { statusCode, headers } = await visit(one, 'away');
    expect([statusCode, headers['retry-after']]).to.deep.equal([503, '5']);
    await store.comeBack?.();
    await pass(one, 'away');
  });

  it('gets the share of a process back that was killed, but for the clicks in its journal', async () => {
    await create('killed', LARGE);
    for (let visitor = 0; visitor < 3; visitor += 1) await pass(two, 'killed');
    await two.kill();
    let passed = 0;
    await until(async () => {
      const { 302: some = 0, 410: refused = 0 } = await crowd([one], 'killed', 40);
      passed += some;
      return refused > 0;
    }, 'all but the share');
    expect(passed).to.equal(LARGE - TAKEN);
    two = await startTwo(await freePort());
    await until(async () => {
      passed += (await crowd([one], 'killed', 10))[302] ?? 0;
      return passed >= LARGE - 3;
    }, 'the rest of the share');
    expect(await crowd([one, two], 'killed', 10)).to.deep.equal({ 410: 10 });
    expect(passed).to.equal(LARGE - 3);
  });
});
