// stores: any
import { expect } from 'chai';
import { AGENTS } from '../support/agents.ts';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type LiveStream, openStream } from '../support/liveStream.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

describe('a stream of events in one of two processes', function () {
  this.timeout(240_000);
  let store: Store;
  const children: Child[] = [];
  let stream: LiveStream | undefined;

  before(async function () {
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    store = await makeStore();
    for (const folder of ['one', 'two']) {
      const env = { ...store.env, DATA_DIR: `${store.dataDir}/${folder}`, TRAFFIC_COLLECT_SECONDS: '1' };
      children.push(await startChild(await freePort(), env));
    }
  });
  after(async () => {
    stream?.close();
    await Promise.all(children.map((child) => child.kill()));
    await store?.remove();
  });

  it('has what happens in the other one, clicks too, and ends when the key is revoked there', async () => {
    const [one, two] = children as [Child, Child];
    const api = apiOf(two.origin, one.secretKey);
    const { body: key } = await api('POST', '/keys', { name: 'Stream', scopes: ['events:read'] });
    const opened = await openStream(`${one.origin}/api/v1/events/stream`, { Authorization: `Bearer ${key.key}` });
    stream = opened;
    await until(() => opened.text() !== '', 'the stream to begin');
    const { body: link } = await api('POST', '/links', { destination: 'https://example.com/' });
    // Sooner than the poll that makes up for lost announcements.
    const told = () => opened.events.map(({ event, data }) => `${event} ${data.data.link?.id}`);
    await until(() => told().includes(`link.created ${link.id}`), 'the link', 10_000);
    await fetch(`${two.origin}/${link.slug}`, { headers: { 'User-Agent': AGENTS.human }, redirect: 'manual' });
    await until(() => told().includes(`link.clicked ${link.id}`), 'the click');
    expect((await api('DELETE', `/keys/${key.id}`)).status).to.equal(204);
    await opened.ended;
    expect(opened.text()).to.match(/\nretry: 3000\n\n$/);
  });
});
