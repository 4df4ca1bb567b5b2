// plays, stores: postgres
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';

const LIMIT = 400;
/** The contract's. */
const SLACK = 0.05;

describe('the quota of a key', () => {
  let store: Store;
  const children: Child[] = [];

  before(async function () {
    this.timeout(600_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    for (const folder of ['one', 'two']) {
      const env = { ...store.env, DATA_DIR: `${store.dataDir}/${folder}`, ROLE: 'web' };
      children.push(
        await startChild(await freePort(), {
          ...env,
          RATE_LIMIT_PER_MINUTE: String(LIMIT),
          RATE_LIMIT_WINDOW_SECONDS: '600',
        }),
      );
    }
  });
  after(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
  });

  it('is one for all processes, give or take the slack', async function () {
    this.timeout(600_000);
    const key = children[0]?.secretKey as string;
    const apis = children.map(({ origin }) => apiOf(origin, key));
    // All in one window, however slow the machine is.
    const statuses: number[] = [];
    for (let at = 0; at < LIMIT * 2; at += 20) {
      const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => apis[index % 2]?.('GET', '/team')));
      statuses.push(...replies.map((reply) => reply?.status ?? 0));
    }
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).to.be.within(LIMIT, LIMIT * (1 + SLACK));
    expect(statuses.filter((status) => status === 429)).to.have.length(statuses.length - passed);
  });
});
