// stores: each
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

describe('while the store is down', () => {
  let store: Store;
  let child: Child;
  let receiver: Receiver;
  let key: string;

  before(async function () {
    this.timeout(180_000);
    store = await makeStore();
    if (!store.goAway) {
      await store.remove();
      this.skip();
    }
    receiver = await startReceiver();
    child = await startChild(await freePort(), { ...store.env, TRAFFIC_COLLECT_SECONDS: '1' });
    key = child.secretKey;
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await store?.remove();
  });

  const follow = (slug: string) =>
    fetch(`${child.origin}/${slug}`, { redirect: 'manual', headers: { 'User-Agent': AGENT } });

  it('follows links it knows, tells no 404, and loses no click and no event', async function () {
    this.timeout(180_000);
    const api = apiOf(child.origin, key);
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.clicked'] });
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'known' });
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'unknown' });
    expect((await follow('known')).status).to.equal(302);
    expect((await follow('nobody')).status).to.equal(404);

    await store.goAway?.();
    await delay(300);
    for (let visit = 0; visit < 20; visit += 1) expect((await follow('known')).status).to.equal(302);
    expect((await follow('unknown')).status).to.equal(503);
    expect((await follow('nobody')).status, 'a remembered 404').to.equal(503);
    const refused = await api('GET', '/links');
    expect([refused.status, refused.body.error.code]).to.deep.equal([503, 'unavailable']);
    expect((await fetch(`${child.origin}/readyz`)).status).to.equal(503);
    expect((await fetch(`${child.origin}/healthz`)).status).to.equal(200);
    await delay(2000);
    expect((await follow('known')).status).to.equal(302);
    const warnings = child.printed().match(/^\{"level":[45]0.*$/gm) ?? [];
    expect(warnings.filter((line) => line.includes('the store is away'))).to.have.length(1);
    expect(warnings.length, warnings.join('\n')).to.be.at.most(4);
    for (const line of warnings) expect(line).to.match(/"role":"all","host":"[^"]+","pid":\d+,/);

    await store.comeBack?.();
    await until(async () => (await follow('unknown')).status === 302, 'the store to be found again');
    await until(
      async () => (await api('GET', '/analytics?group_by=link')).body.data?.[0]?.count === 22,
      'every click',
      20_000,
    );
    await until(() => receiver.received.length >= 23, 'every event', 30_000);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).to.equal(23);
  });
});
