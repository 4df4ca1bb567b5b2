// plays, stores: postgres
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { askStore } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { followOn } from '../support/followOn.ts';
import { ownTimeUntil, usualRound } from '../support/ownTime.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const LINK_DOMAIN = 'go.example.com';
/** The contract. */
const SEEN_MS = 1000;
/** What visitors do meanwhile. */
const EVERY_MS = 20;

describe('the backend of the connection for announcements hangs', () => {
  let store: Store;
  let folder: string;
  let web: Child;
  let redirect: Child;

  before(async function () {
    this.timeout(600_000);
    // The embedded store has no such connection.
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    web = await startChild(await freePort(), { ...store.env, LINK_DOMAIN });
    redirect = await startChild(await freePort(), { ...store.env, LINK_DOMAIN, DATA_DIR: folder, ROLE: 'redirect' });
  });
  after(async () => {
    await redirect?.kill();
    await web?.kill();
    await store?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const listener = async () => {
    const [row] = await askStore<{ pid: number }>(
      store,
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'svc-redirect-listen'",
    );
    return row?.pid ?? null;
  };

  it('and a changed link is followed to its new destination within a second', async function () {
    this.timeout(600_000);
    const pid = await until(listener, 'the connection for announcements', 120_000);
    try {
      process.kill(pid, 0);
    } catch {
      // PostgreSQL is on another machine, or of another user.
      this.skip();
    }
    const api = apiOf(web.origin, web.secretKey);
    const { body } = await api('POST', '/links', { destination: 'https://example.com/old', slug: 'moved' });
    expect((await followOn(redirect, LINK_DOMAIN, 'moved')).to).to.equal('https://example.com/old');
    // Visitors of a link in memory are what makes its process send heartbeats often.
    const beforeMs = performance.now();
    while (performance.now() - beforeMs < SEEN_MS) {
      await followOn(redirect, LINK_DOMAIN, 'moved');
      await delay(EVERY_MS);
    }
    const usualMs = await usualRound(() => followOn(redirect, LINK_DOMAIN, 'moved'));
    process.kill(pid, 'SIGSTOP');
    try {
      await api('PATCH', `/links/${body.id}`, { destination: 'https://example.com/new' });
      const isSeen = async () => (await followOn(redirect, LINK_DOMAIN, 'moved')).to === 'https://example.com/new';
      const seenMs = await ownTimeUntil(isSeen, usualMs, 'the change to be seen');
      expect(seenMs, 'milliseconds until the change was seen').to.be.lessThan(SEEN_MS);
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
});
