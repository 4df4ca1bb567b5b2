// plays, stores: each
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { AGENTS } from '../support/agents.ts';
import { type Api, apiOf } from '../support/api.ts';
import { askStore, storedClicks, whileLocked } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { startTraffic, type Traffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

/** FAULT_SECONDS=60 shows the same of a long outage. */
const SECONDS = Number(process.env.FAULT_SECONDS ?? 4);
const PER_SECOND = 60;
const KNOWN = ['one', 'two', 'three', 'four'];
const COLD = ['cold-1', 'cold-2', 'cold-3'];

describe(`the store is away for ${SECONDS} s while links are followed`, () => {
  let store: Store;
  let child: Child;
  let receiver: Receiver;
  let api: Api;
  /** Clicks of the tests before. */
  let earlier = 0;

  before(async function () {
    this.timeout(600_000);
    store = await makeStore();
    receiver = await startReceiver();
    const env = { ...store.env, TRAFFIC_COLLECT_SECONDS: '1', RATE_LIMIT_PER_MINUTE: '100000' };
    child = await startChild(await freePort(), env);
    api = apiOf(child.origin, child.secretKey);
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.clicked'] });
    for (const slug of [...KNOWN, ...COLD, 'visited', 'forgotten'])
      await api('POST', '/links', { destination: 'https://example.com/', slug });
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await store?.remove();
  });

  /** Everybody who was sent on is in the store, in analytics and told to the webhook, once. */
  const expectAllCounted = async (traffic: Traffic, others: number) => {
    const followed = earlier + (traffic.answers.get(302) ?? 0) + others;
    earlier = followed;
    await until(async () => (await storedClicks(store)) >= followed, `all ${followed} clicks`, 60_000);
    const told = () => new Set(receiver.received.map(({ event }) => event.id)).size;
    await until(() => told() >= followed, `all ${followed} events`, 180_000);
    await delay(1500);
    expect(await storedClicks(store), 'in the store').to.equal(followed);
    expect(told(), 'events').to.equal(followed);
    const { total } = (await api('GET', '/analytics?traffic=all')).body;
    expect(total.count, 'in analytics').to.equal(followed);
    const events = await askStore<{ count: string }>(
      store,
      "SELECT COUNT(*) AS count FROM events WHERE type = 'link.clicked'",
    );
    expect(Number(events[0]?.count), 'events in the store').to.equal(followed);
  };

  const follow = (slug: string) =>
    fetch(`${child.origin}/${slug}`, { redirect: 'manual', headers: { 'User-Agent': AGENTS.human } });

  it('is told once in the log, is not hidden from probes and callers, and makes no 404 of what it cannot know', async function () {
    this.timeout(600_000);
    if (!store.goAway) this.skip();
    expect((await follow('visited')).status).to.equal(302);
    expect((await follow('nobody')).status).to.equal(404);
    const printedBefore = child.printed().length;

    await store.goAway?.();
    await until(async () => (await follow('forgotten')).status === 503, 'the outage to be noticed');
    for (let visit = 0; visit < 20; visit += 1) expect((await follow('visited')).status).to.equal(302);
    expect((await follow('nobody')).status, 'a remembered 404').to.equal(503);
    const refused = await api('GET', '/links');
    expect([refused.status, refused.body.error.code]).to.deep.equal([503, 'unavailable']);
    expect((await fetch(`${child.origin}/readyz`)).status).to.equal(503);
    expect((await fetch(`${child.origin}/healthz`)).status).to.equal(200);
    // Long enough for every job to have noticed it, too.
    await delay(2000);
    expect((await follow('visited')).status).to.equal(302);
    const warnings =
      child
        .printed()
        .slice(printedBefore)
        .match(/^\{"level":[45]0.*$/gm) ?? [];
    expect(warnings.filter((line) => line.includes('the store is away'))).to.have.length(1);
    expect(warnings.length, warnings.join('\n')).to.be.at.most(4);
    for (const line of warnings) expect(line).to.match(/"role":"all","host":"[^"]+","pid":\d+,/);

    await store.comeBack?.();
    await until(async () => (await follow('forgotten')).status === 302, 'the store to be found again');
    const counts = async () => {
      const { data = [] } = (await api('GET', '/analytics?group_by=slug')).body;
      return Object.fromEntries(data.map(({ key, count }: { key: string; count: number }) => [key, count]));
    };
    await until(async () => (await counts()).visited === 22, 'every click', 60_000);
    await until(() => receiver.received.length >= 23, 'every event', 60_000);
    expect(new Set(receiver.received.map(({ event }) => event.id)).size).to.equal(23);
    expect(await counts()).to.deep.equal({ visited: 22, forgotten: 1 });
    earlier += 23;
  });

  it('follows every link it knows, tells no 404, and loses and doubles nothing', async function () {
    this.timeout(600_000 + SECONDS * 2000);
    if (!store.goAway) this.skip();
    const warming = startTraffic(child.origin, KNOWN, 40);
    await delay(500);
    await warming.stop();
    const known = startTraffic(child.origin, KNOWN, PER_SECOND);
    await delay(500);
    await store.goAway?.();
    await delay(200);
    const cold = startTraffic(child.origin, COLD, 20);
    const nobody = startTraffic(child.origin, ['nobody'], 10);
    await delay(SECONDS * 1000);
    await Promise.all([cold.stop(), nobody.stop()]);
    await store.comeBack?.();
    await delay(1000);
    await known.stop();
    expect([...cold.answers.keys()], 'links that are not in memory').to.deep.equal([503]);
    expect([...nobody.answers.keys()], 'links that are not there').to.deep.equal([503]);
    expect([...known.answers.keys()], 'links in memory').to.deep.equal([302]);
    // Nothing waits for the timeouts of the store. A machine that runs all tests at once can itself stop for some seconds.
    expect(known.longestMs()).to.be.lessThan(20_000);
    await until(async () => (await api('GET', '/analytics')).status === 200, 'the store to be found again');
    await expectAllCounted(known, warming.answers.get(302) ?? 0);
  });

  it('goes on reading while something else keeps the file locked, and writes what waited afterwards', async function () {
    this.timeout(600_000 + SECONDS * 2000);
    if (STORE !== 'sqlite') this.skip();
    const traffic = startTraffic(child.origin, [...KNOWN, ...COLD], PER_SECOND);
    await delay(300);
    let writes: Promise<number[]> | undefined;
    await whileLocked(store, async () => {
      writes = Promise.all(
        ['during-1', 'during-2'].map(async (slug) => {
          const made = await api('POST', '/links', { destination: 'https://example.com/', slug });
          return made.status;
        }),
      );
      await delay(SECONDS * 1000);
    });
    const statuses = await writes;
    await delay(500);
    await traffic.stop();
    expect([...traffic.answers.keys()]).to.deep.equal([302]);
    expect(statuses, 'they waited').to.deep.equal([201, 201]);
    await expectAllCounted(traffic, 0);
  });
});
