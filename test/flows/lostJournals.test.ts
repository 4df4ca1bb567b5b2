// plays, stores: each
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import pg from 'pg';
import { runAdmin } from '../support/admin.ts';
import { AGENTS } from '../support/agents.ts';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Clicks stay in the journal. */
const METRICS_TOKEN = 'of-nobody-but-this-test';
const NEVER = { CLICK_DRAIN_MILLISECONDS: '600000', SHUTDOWN_SECONDS: '1', METRICS_TOKEN };
const CLICKS = 40;
/** The same in every process, whatever its port. */
const LINK_DOMAIN = 'go.example.com';

describe('clicks of a process that was killed', function () {
  this.timeout(600_000);
  let store: Store;
  let shared: string;
  const children: Child[] = [];
  let key: string;

  const start = async (settings: Record<string, string>) => {
    const child = await startChild(await freePort(), { ...store.env, LINK_DOMAIN, ...settings });
    children.push(child);
    return child;
  };
  const follow = async (child: Child, slug: string) => {
    for (let at = 0; at < CLICKS; at += 1) {
      const headers = { 'User-Agent': AGENTS.human, Host: LINK_DOMAIN };
      const [response] = await once(get(`${child.origin}/${slug}`, { headers }), 'response');
      response.resume();
      expect(response.statusCode).to.equal(302);
    }
  };
  const counted = async (child: Child) => (await apiOf(child.origin, key)('GET', '/analytics')).body.total.count;

  before(async () => {
    store = await makeStore();
    shared = await mkdtemp(path.join(tmpdir(), 'svc-shared-'));
    await mkdir(path.join(shared, 'two'));
  });
  afterEach(async () => {
    for (const child of children.splice(0)) await child.kill();
  });
  after(async () => {
    await store?.remove();
    await rm(shared, { recursive: true, force: true });
  });

  it('are moved by admin drain, not while it lives', async () => {
    const child = await start(NEVER);
    key = child.secretKey;
    await firstLookAtTraffic(child);
    await apiOf(child.origin, key)('POST', '/links', { destination: 'https://www.example.com/', slug: 'one' });
    await follow(child, 'one');
    expect((await runAdmin(store.env, 'drain', store.dataDir)).error).to.match(/DATA_DIR .* is in use/);
    await child.kill();
    const { code, out, error } = await runAdmin(store.env, 'drain', store.dataDir);
    expect(code, error).to.equal(0);
    expect(out).to.include(
      `${CLICKS} clicks moved to the store, 0 rejected by it (see rejected.log), 0 damaged lines.`,
    );
    expect((await runAdmin(store.env, 'drain', path.join(store.dataDir, 'clicks'))).out).to.include(
      'There are no clicks',
    );
    expect((await runAdmin(store.env, 'drain', path.join(shared, 'nowhere'))).error).to.include('There is no folder');
    const again = await start({});
    expect(await counted(again)).to.equal(CLICKS);
  });

  it('are taken over from a shared disk ten minutes later', async function () {
    // With SQLite there is no second process; the takeover itself is tested on both stores.
    if (STORE === 'sqlite') return this.skip();
    const others = path.join(shared, 'one');
    const child = await start({ ...NEVER, DATA_DIR: others });
    await firstLookAtTraffic(child);
    await apiOf(child.origin, key)('POST', '/links', { destination: 'https://www.example.com/', slug: 'two' });
    await follow(child, 'two');
    await child.kill();
    await letTenMinutesPass(others);
    const taker = await start({ DATA_DIR: path.join(shared, 'two'), CLICK_JOURNALS: shared });
    await until(async () => (await counted(taker)) === 2 * CLICKS, 'the clicks');
    await until(async () => !(await readdir(others)).some((name) => name.startsWith('clicks')), 'the end');
    expect(await ask("SELECT name FROM click_journals WHERE folder LIKE '%/one/clicks'")).to.deep.equal([]);
    // The process can come back at any time.
    const back = await start({ DATA_DIR: others });
    await follow(back, 'two');
    await until(async () => (await counted(taker)) === 3 * CLICKS, 'the clicks');
  });

  const ask = async (sql: string) => {
    const client = new pg.Client({ connectionString: String(store.env.DATABASE_URL) });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows;
  };
  const letTenMinutesPass = async (dataDir: string) => {
    await ask(
      "UPDATE click_journals SET heard_at = now() - interval '1 hour', missing_at = now() - interval '50 minutes'",
    );
    const folder = path.join(dataDir, 'clicks');
    const before = Date.now() / 1000 - 3600;
    for (const name of await readdir(folder)) await utimes(path.join(folder, name), before, before);
  };
});

/** Waits for the job that moves the clicks before it looks at the traffic. At a start it may run after the product is ready. */
async function firstLookAtTraffic({ origin }: Child): Promise<void> {
  const hasRun = async () => {
    const response = await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } });
    expect(response.status).to.equal(200);
    return /^svc_job_runs_total\{queue="watchTraffic"/m.test(await response.text());
  };
  await until(hasRun, 'the first look at the traffic', 120_000);
}
