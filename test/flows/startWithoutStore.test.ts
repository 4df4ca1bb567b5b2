// plays, stores: postgres
import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { askStore, storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { followOn, readOn } from '../support/followOn.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const LINK_DOMAIN = 'go.example.com';

describe('a process that serves links starts while the store is away', () => {
  let store: Store;
  let folder: string;
  let web: Child;
  let redirect: Child | null = null;
  let api: Api;

  const start = async (more: Record<string, string> = {}, hear?: (text: string) => void) => {
    const env = { ...store.env, LINK_DOMAIN, DATA_DIR: folder, ROLE: 'redirect', ...more };
    redirect = await startChild(await freePort(), env, hear ? { hear } : {});
    return redirect;
  };
  const snapshot = () => path.join(folder, 'links', 'snapshot');

  before(async function () {
    this.timeout(600_000);
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
    this.timeout(600_000);
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

  /** Starts a process that has nothing but the store, and waits for its snapshot. */
  const startAnew = async () => {
    await rm(path.join(folder, 'links'), { recursive: true, force: true });
    const child = await start();
    await until(async () => (await stat(snapshot()).catch(() => null)) !== null, 'a snapshot');
    return child;
  };
  const changes = async () => {
    const names = (await readdir(path.join(folder, 'links'))).filter((name) => name.startsWith('changes-'));
    return Promise.all(names.map((name) => readFile(path.join(folder, 'links', name), 'utf8')));
  };
  const streamHas = (text: string) =>
    until(async () => (await changes()).join('').includes(text), `${text} in the stream of changes`);
  const idOf = async (slug: string) => {
    const { body } = await api('GET', '/links');
    return body.data.find((link: { slug: string }) => link.slug === slug).id;
  };
  const comeBack = async () => {
    await store.comeBack?.();
    await until(async () => (await api('GET', '/links')).status === 200, 'the store to be found by the API');
  };

  it('knows what changed seconds before it was killed, and reads past a torn line', async function () {
    this.timeout(600_000);
    for (const slug of ['changed', 'removed', 'archived'])
      await api('POST', '/links', { destination: 'https://example.com/former', slug });
    const first = await startAnew();
    const whole = await readFile(snapshot(), 'utf8');
    for (const slug of ['changed', 'removed', 'archived']) expect(whole).to.include(`"slug":"${slug}"`);
    await api('PATCH', `/links/${await idOf('changed')}`, { destination: 'https://example.com/later' });
    await api('POST', '/links', { destination: 'https://example.com/latest', slug: 'latest', password: 'a password' });
    expect((await api('PATCH', `/links/${await idOf('archived')}`, { archived: true })).status).to.equal(200);
    await streamHas('https://example.com/later');
    await streamHas('"slug":"latest"');
    expect((await api('DELETE', `/links/${await idOf('removed')}`)).status).to.equal(204);
    await streamHas(`{"changed":"${LINK_DOMAIN}/removed"}`);
    await first.kill();
    expect((await changes()).join('')).to.not.include('argon2');
    // The snapshot is the one from before.
    expect(await readFile(snapshot(), 'utf8')).to.equal(whole);
    const [name] = (await readdir(path.join(folder, 'links'))).filter((file) => file.startsWith('changes-'));
    await appendFile(path.join(folder, 'links', name as string), '{"link":{"id":"lnk_to');
    await store.goAway?.();
    const second = await start();
    expect(second.printed()).to.include('are torn');
    const to = async (slug: string) => (await followOn(second, LINK_DOMAIN, slug)).to;
    expect(await to('changed')).to.equal('https://example.com/later');
    expect(await to('known')).to.equal('https://example.com/known');
    expect((await followOn(second, LINK_DOMAIN, 'removed')).status).to.equal(503);
    expect((await followOn(second, LINK_DOMAIN, 'archived')).status).to.equal(404);
    // It asks for the password.
    expect((await followOn(second, LINK_DOMAIN, 'latest')).status).to.equal(200);
    await comeBack();
    await until(async () => (await followOn(second, LINK_DOMAIN, 'removed')).status === 404, 'the link to be gone');
    // What it could not hear meanwhile is in a new snapshot, which ends the former changes.
    await until(
      async () => !(await readFile(snapshot(), 'utf8')).includes('"slug":"removed"'),
      'a new snapshot',
      30_000,
    );
    await until(async () => !(await changes()).join('').includes('/removed"}'), 'an end of the former changes');
  });

  it('answers association files as of the last change', async function () {
    this.timeout(600_000);
    const { body } = await api('GET', '/projects');
    const project = `/projects/${body.data[0].id}`;
    const app = (bundle: string) => ({ platform: 'ios', bundle_id: bundle, team_id: 'ABCDE12345' });
    const set = async (bundle: string) => {
      const reply = await api('PATCH', project, { apps: [app(bundle)] });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    };
    // The process of the test before goes on, with a snapshot of then.
    const first = redirect ?? (await startAnew());
    await set('com.example.former');
    await set('com.example.later');
    await until(async () => (await changes()).join('').split('com.example.later').length > 2, 'the apps in the stream');
    await first.kill();
    await store.goAway?.();
    const second = await start();
    const file = '.well-known/apple-app-site-association';
    expect(await readOn(second, LINK_DOMAIN, file)).to.deep.include({ status: 200 });
    expect((await readOn(second, LINK_DOMAIN, file)).body).to.include('ABCDE12345.com.example.later');
    expect((await readOn(second, LINK_DOMAIN, '.well-known/assetlinks.json')).status).to.equal(404);
    // The project has changed, its links have not.
    expect((await followOn(second, LINK_DOMAIN, 'known')).status).to.equal(302);
    await comeBack();
    await second.terminate();
  });

  it('keeps the links that are followed most where not all have room, also those of other processes', async function () {
    this.timeout(600_000);
    const bound = { LINK_SNAPSHOT_ENTRIES: '3', LINK_SNAPSHOT_SECONDS: '1' };
    for (let at = 0; at < 5; at += 1)
      await api('POST', '/links', { destination: 'https://example.com/newer', slug: `newer-${at}` });
    const kept = async () =>
      [...(await readFile(snapshot(), 'utf8').catch(() => '')).matchAll(/"slug":"([^"]+)"/g)].map(([, slug]) => slug);
    await askStore(store, 'DELETE FROM link_follows');
    await rm(path.join(folder, 'links'), { recursive: true, force: true });
    const first = await start(bound);
    for (const slug of ['known', 'known', 'known', 'newer-0', 'newer-0']) await followOn(first, LINK_DOMAIN, slug);
    await api('POST', '/links', { destination: 'https://example.com/newest', slug: 'newest' });
    const expected = ['known', 'newer-0', 'newest'];
    await until(async () => String(await kept()) === String(expected), 'the most followed links, then the newest');
    await first.terminate();
    // Another process, with a disk of its own.
    const former = folder;
    folder = await mkdtemp(path.join(tmpdir(), 'svc-test-'));
    const other = await start(bound);
    await until(async () => String(await kept()) === String(expected), 'the same links');
    await other.terminate();
    await rm(former, { recursive: true, force: true });
  });

  it('without a usable snapshot it waits, and is ready when the store is', async function () {
    this.timeout(600_000);
    await writeFile(snapshot(), '{"start":"0"}\n');
    await store.goAway?.();
    let isReady = false;
    let printed = '';
    const hear = (text: string) => {
      printed += text;
    };
    const starting = start({}, hear).then((child) => {
      isReady = true;
      return child;
    });
    await until(() => printed.includes('cannot be reached'), 'the first attempt to reach the store', 120_000);
    await until(() => printed.includes('the snapshot of links cannot be used'), 'a look at the snapshot');
    // It tries the store several times meanwhile.
    await delay(2000);
    expect(isReady).to.equal(false);
    await store.comeBack?.();
    const third = await starting;
    expect((await followOn(third, LINK_DOMAIN, 'known')).status).to.equal(302);
  });
});
