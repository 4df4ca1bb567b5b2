// plays, stores: any
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type ClickHouse, hasEngine, startClickHouse } from '../support/clickHouse.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

describe('the product with clicks in ClickHouse', function () {
  this.timeout(600_000);
  let clickHouse: ClickHouse;
  let store: Store;
  let receiver: Receiver;
  let child: Child;
  let api: Api;
  let key: string;
  let followed = 0;

  const start = async () => {
    const env = {
      ...store.env,
      CLICKS_URL: clickHouse.url,
      CLICKS_CLUSTER: clickHouse.cluster ?? '',
      TRAFFIC_COLLECT_SECONDS: '1',
      RATE_LIMIT_PER_MINUTE: '100000',
    };
    child = await startChild(await freePort(), env);
  };
  const follow = async (seconds: number) => {
    const traffic = startTraffic(child.origin, ['one', 'two'], 50);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    await traffic.stop();
    followed += traffic.answers.get(302) ?? 0;
    return [...traffic.answers.keys()];
  };
  const inAnalytics = async () => (await api('GET', '/analytics?traffic=all')).body.total?.count;
  const told = () => new Set(receiver.received.map(({ event }) => event.id)).size;

  before(async function () {
    if (!hasEngine()) this.skip();
    clickHouse = await startClickHouse();
    store = await makeStore();
    receiver = await startReceiver();
    await start();
    key = child.secretKey;
    api = apiOf(child.origin, key);
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.clicked'] });
    for (const slug of ['one', 'two']) await api('POST', '/links', { destination: 'https://example.com/', slug });
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await store?.remove();
    await clickHouse?.stop();
  });

  /** Every click is in analytics, in the list, on its link and told to the webhook, once. */
  const expectAllCounted = async () => {
    await until(async () => (await inAnalytics()) >= followed, `${followed} clicks in analytics`);
    await until(() => told() >= followed, `${followed} events`);
    expect([await inAnalytics(), told()]).to.deep.equal([followed, followed]);
    const { data } = (await api('GET', '/links')).body;
    const clicks = data.reduce((sum: number, link: { clicks: number }) => sum + link.clicks, 0);
    const people = (await api('GET', '/analytics')).body.total.count;
    expect(clicks).to.equal(people);
  };

  it('counts and tells of every click', async () => {
    await follow(1);
    await expectAllCounted();
    const byLink = (await api('GET', '/analytics?group_by=slug&traffic=all')).body;
    expect(byLink.data.map(({ key }: { key: string }) => key).sort()).to.deep.equal(['one', 'two']);
  });

  it('follows links while ClickHouse hangs, says that figures are not there, and counts everything later', async () => {
    clickHouse.freeze();
    try {
      expect(await follow(2)).to.deep.equal([302]);
      const begun = performance.now();
      const { status, body } = await api('GET', '/analytics');
      expect([status, body.error.code]).to.deep.equal([503, 'unavailable']);
      expect(body.error.message).to.include('Clicks and their figures');
      expect(performance.now() - begun).to.be.below(8000);
      expect((await api('GET', '/links')).status).to.equal(200);
      expect((await fetch(`${child.origin}/readyz`)).status).to.equal(200);
    } finally {
      clickHouse.cont();
    }
    await expectAllCounted();
  });

  it('counts each click once over kill -9', async () => {
    for (let round = 0; round < 3; round += 1) {
      const traffic = startTraffic(child.origin, ['one', 'two'], 200);
      await new Promise((resolve) => setTimeout(resolve, 700 + round * 400));
      await traffic.stop();
      followed += traffic.answers.get(302) ?? 0;
      await child.kill();
      await start();
      api = apiOf(child.origin, key);
    }
    await expectAllCounted();
  });
});
