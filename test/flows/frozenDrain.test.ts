// plays, stores: postgres
import { mkdir, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Click, encodeClick } from '../../src/clicks/click.ts';
import { apiOf } from '../support/api.ts';
import { askStore, storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeClick } from '../support/clicks.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const FLOOD = 20_000;
const LINK_DOMAIN = 'go.example.com';

describe('a process is stopped while it drains', () => {
  let store: Store;
  const children: Child[] = [];

  after(async () => {
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
  });

  const start = async (folder: string, ROLE: string) => {
    const own = { DATA_DIR: `${store.dataDir}/${folder}`, ROLE, LINK_DOMAIN, RATE_LIMIT_PER_MINUTE: '100000' };
    const child = await startChild(await freePort(), { ...store.env, ...own });
    children.push(child);
    return child;
  };

  /** Transactions of others that a stopped process keeps open. */
  const heldTransactions = () =>
    askStore(
      store,
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc-redirect' AND state LIKE 'idle in transaction%'",
    );

  it('the others go on and are counted within 30 s; after the thaw everything is, once', async function () {
    this.timeout(600_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    const web = await start('web', 'all');
    const api = apiOf(web.origin, web.secretKey);
    const link = (await api('POST', '/links', { destination: 'https://example.com/', slug: 'load' })).body;
    await writeFlood(`${store.dataDir}/frozen/clicks`, { projectId: link.project_id, linkId: link.id, slug: 'load' });
    const other = await start('other', 'redirect');
    const frozen = await start('frozen', 'redirect');

    await until(async () => {
      frozen.freeze();
      await delay(50);
      if ((await heldTransactions()).length > 0) return true;
      frozen.thaw();
      await delay(7);
      return false;
    }, 'a stop within a transaction');
    const before = await storedClicks(store);
    expect(before, 'it was not done').to.be.lessThan(FLOOD);
    const traffic = startTraffic(other.origin, ['load'], 100, LINK_DOMAIN);
    const stoppedAt = Date.now();
    await delay(3000);
    await traffic.stop();
    const followed = traffic.answers.get(302) ?? 0;
    expect([...traffic.answers.keys()]).to.deep.equal([302]);
    await until(async () => (await storedClicks(store)) - before >= followed, 'clicks of the other process', 30_000);
    expect(Date.now() - stoppedAt).to.be.lessThan(30_000);

    frozen.thaw();
    await until(async () => (await storedClicks(store)) >= FLOOD + followed, 'the clicks of both', 60_000);
    await until(
      async () => (await api('GET', '/links')).body.data[0].clicks === FLOOD + followed,
      'the count of the link',
      20_000,
    );
    expect(await storedClicks(store)).to.equal(FLOOD + followed);
    const { total } = (await api('GET', '/analytics?traffic=all')).body;
    expect(total.count).to.equal(FLOOD + followed);
    const again = startTraffic(frozen.origin, ['load'], 50, LINK_DOMAIN);
    await delay(200);
    await again.stop();
    expect([...again.answers.keys()], 'it answers again').to.deep.equal([302]);
  });
});

/** What a process left in its journal when it died. */
async function writeFlood(folder: string, values: Pick<Click, 'projectId' | 'linkId' | 'slug'>): Promise<void> {
  await mkdir(folder, { recursive: true });
  const now = Date.now();
  const lines = Array.from({ length: FLOOD }, (_, at) =>
    encodeClick(makeClick({ ...values, occurredAt: now - 1000 - (at % FLOOD), visitor: `visitor-${at % 5000}` })),
  );
  await writeFile(`${folder}/0000000001.log`, `${lines.join('\n')}\n`);
}
