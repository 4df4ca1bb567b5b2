// plays, stores: each
import { Agent, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const ROUNDS = Number(process.env.KILL_ROUNDS ?? 1);
const CONNECTIONS = 20;
const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('kill -9 under redirect load', () => {
  let store: Store;
  let child: Child;

  after(async () => {
    await child?.kill();
    await store?.remove();
  });

  it('loses no answered redirect and counts none twice', async function () {
    this.timeout(600_000);
    store = await makeStore();
    const port = await freePort();
    const env = { ...store.env, CLICK_DRAIN_MILLISECONDS: '200' };
    child = await startChild(port, env);
    const api = apiOf(child.origin, child.secretKey);
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'load' });
    let answered = 0;
    let asked = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = startLoad(`${child.origin}/load`);
      // Some clicks are in the store then, some in the journal, and some of no answer yet.
      const stored = await storedClicks(store);
      try {
        await until(() => load.answered() > 20, 'answers', 120_000);
        await until(async () => (await storedClicks(store)) > stored, 'the first clicks in the store', 120_000);
      } finally {
        await child.kill();
        // It would go on asking a process that is gone.
        await load.stop();
      }
      const counts = await load.stop();
      answered += counts.answered;
      asked += counts.asked;
      child = await startChild(port, env);
    }
    expect(answered).to.be.greaterThan(ROUNDS * 20);
    const counted = await until(
      async () => {
        const before = (await api('GET', '/analytics')).body.total.count;
        await delay(1000);
        const after = (await api('GET', '/analytics')).body.total.count;
        return before === after && after >= answered ? after : null;
      },
      `all ${answered} answered redirects to be in the store`,
      120_000,
    );
    // A redirect that was written down when the process died, but not answered any more, is counted as well.
    expect(counted).to.be.at.least(answered).and.at.most(asked);
    const link = (await api('GET', '/links')).body.data[0];
    expect(link.clicks).to.equal(counted);
    const byTime = await api('GET', '/analytics?group_by=time&granularity=minute');
    expect(byTime.body.data.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).to.equal(counted);
  });
});

/** Follows a link over several connections until stopped. */
function startLoad(url: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let isStopped = false;
  let answered = 0;
  let asked = 0;
  const once = () =>
    new Promise<void>((resolve) => {
      asked += 1;
      const request = get(url, { agent, headers: { 'User-Agent': AGENT } }, (response) => {
        if (response.statusCode === 302) answered += 1;
        response.resume();
        response.once('close', resolve);
      });
      request.once('error', () => resolve());
    });
  const visitor = async () => {
    while (!isStopped) await once();
  };
  const visitors = Array.from({ length: CONNECTIONS }, visitor);
  return {
    answered: () => answered,
    async stop() {
      isStopped = true;
      await Promise.all(visitors);
      agent.destroy();
      return { answered, asked };
    },
  };
}
