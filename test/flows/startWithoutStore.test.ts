// stores: each
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { followOn } from '../support/followOn.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const LINK_DOMAIN = 'go.example.com';

describe('a process that serves links starts while the store is away', () => {
  let store: Store;
  let folder: string;
  let web: Child;
  let redirect: Child | null = null;
  let api: Api;

  const start = async () => {
    const env = { ...store.env, LINK_DOMAIN, DATA_DIR: folder, ROLE: 'redirect' };
    redirect = await startChild(await freePort(), env);
    return redirect;
  };
  const snapshot = () => path.join(folder, 'links', 'snapshot');

  before(async function () {
    this.timeout(180_000);
    // The embedded store is in the process itself.
    if (STORE !== 'postgres') this.skip();
    store = await makeStore();
    if (!store.goAway) this.skip();
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    web = await startChild(await freePort(), { ...store.env, LINK_DOMAIN });
    api = apiOf(web.origin, web.secretKey);
    await api('POST', '/links', { destination: 'https://example.com/known', slug: 'known' });
    await api('POST', '/links', { destination: 'https://example.com/gone', slug: 'gone' });
  });
  after(async () => {
    await redirect?.kill();
    await web?.kill();
    await store?.comeBack?.();
    await store?.remove();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it('follows the links of its snapshot, says so, and goes on as any when the store is back', async function () {
    this.timeout(120_000);
    const first = await start();
    await until(async () => (await stat(snapshot()).catch(() => null)) !== null, 'a snapshot');
    expect((await stat(snapshot())).mode & 0o777).to.equal(0o600);
    expect(await first.terminate()).to.equal(0);
    await store.goAway?.();
    const second = await start();
    expect((await fetch(`${second.origin}/readyz`)).status).to.equal(200);
    expect(await followOn(second, LINK_DOMAIN, 'known')).to.deep.equal({
      status: 302,
      to: 'https://example.com/known',
    });
    expect((await followOn(second, LINK_DOMAIN, 'unknown')).status).to.equal(503);
    await store.comeBack?.();
    await until(async () => (await api('GET', '/links')).status === 200, 'the store to be found by the API');
    const { body } = await api('GET', '/links');
    const gone = body.data.find(({ slug }: { slug: string }) => slug === 'gone');
    expect((await api('DELETE', `/links/${gone.id}`)).status).to.equal(204);
    await api('POST', '/links', { destination: 'https://example.com/new', slug: 'new' });
    await until(async () => (await followOn(second, LINK_DOMAIN, 'new')).status === 302, 'a new link to be followed');
    await until(async () => (await followOn(second, LINK_DOMAIN, 'gone')).status === 404, 'a deleted link to be gone');
    await until(async () => (await storedClicks(store)) >= 2, 'the clicks to be counted', 20_000);
    expect(await second.terminate()).to.equal(0);
  });

  it('without a usable snapshot it waits, and is ready when the store is', async function () {
    this.timeout(120_000);
    await writeFile(snapshot(), '{"start":"0"}\n');
    await store.goAway?.();
    let isReady = false;
    const starting = start().then((child) => {
      isReady = true;
      return child;
    });
    // It has loaded its code by then, and tried the store several times.
    await delay(10_000);
    expect(isReady).to.equal(false);
    await store.comeBack?.();
    const third = await starting;
    expect((await followOn(third, LINK_DOMAIN, 'known')).status).to.equal(302);
    // On a busy machine it may have come to that only when the store was back.
    if (third.printed().includes('cannot be reached'))
      expect(third.printed()).to.include('the snapshot of links cannot be used');
  });
});
