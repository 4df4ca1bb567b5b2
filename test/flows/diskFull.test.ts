// plays, stores: each
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { storedClicks } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { mountSmallDisk, type SmallDisk } from '../support/smallDisk.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const PER_SECOND = 100;

const METRICS_TOKEN = 'the token of a test';

describe('a full disk', () => {
  let store: Store;
  let child: Child | undefined;
  let receiver: Receiver;
  let api: Api;
  const disks: SmallDisk[] = [];

  beforeEach(async () => {
    store = await makeStore({ hasJobs: false });
    receiver = await startReceiver();
  });
  afterEach(async () => {
    await child?.kill();
    child = undefined;
    await receiver.close();
    for (const disk of disks.splice(0).reverse()) await disk.remove();
    await store.remove();
  });

  const mount = async (folder: string, megabytes: number) => {
    const disk = await mountSmallDisk(folder, megabytes);
    if (disk) disks.push(disk);
    return disk;
  };
  const start = async () => {
    const started = await startChild(await freePort(), {
      ...store.env,
      RATE_LIMIT_PER_MINUTE: '100000',
      METRICS_TOKEN,
    });
    child = started;
    api = apiOf(started.origin, started.secretKey);
    await api('POST', '/links', { destination: 'https://example.com/', slug: 'load' });
    return started;
  };
  const dropped = async (origin: string) => {
    const text = await (
      await fetch(`${origin}/metrics`, { headers: { Authorization: `Bearer ${METRICS_TOKEN}` } })
    ).text();
    return Number(/^svc_clicks_dropped_total (\d+)$/m.exec(text)?.[1]);
  };

  it('of the journal: links are followed, the loss is told and exact, and counting goes on with the room', async function () {
    this.timeout(600_000);
    // The embedded store lies beside the journal, and its disk is full as well.
    const disk = STORE === 'sqlite' ? await mount(store.dataDir, 150) : await mount(`${store.dataDir}/clicks`, 2);
    if (!disk) this.skip();
    const { origin, printed } = await start();
    const traffic = startTraffic(origin, ['load'], PER_SECOND);
    await until(() => (traffic.answers.get(302) ?? 0) > 20, 'people who follow the link');
    await until(async () => {
      disk.fill();
      return (await dropped(origin)) > 20;
    }, 'clicks that cannot be written down');
    expect(printed()).to.match(
      /"level":"?(warn|40).*Clicks are not counted because the journal cannot be written: ENOSPC/,
    );
    await disk.makeRoom();
    await until(async () => {
      const before = await dropped(origin);
      await delay(500);
      return (await dropped(origin)) === before;
    }, 'clicks to be written again');
    const stored = await storedClicks(store);
    await delay(1500);
    await traffic.stop();
    expect([...traffic.answers.keys()]).to.deep.equal([302]);
    const counted = (traffic.answers.get(302) ?? 0) - (await dropped(origin));
    await until(async () => (await storedClicks(store)) >= counted, `${counted} clicks`);
    await delay(1500);
    expect(await storedClicks(store), 'stored and dropped are all').to.equal(counted);
    expect(counted).to.be.greaterThan(stored);
    expect((await fetch(`${origin}/healthz`)).status).to.equal(200);
  });

  it('of the store: the journal keeps clicks until there is room, writes are refused whole', async function () {
    this.timeout(600_000);
    if (STORE !== 'sqlite') this.skip();
    const disk = await mount(store.dataDir, 150);
    if (!disk || !(await mount(`${store.dataDir}/clicks`, 50))) this.skip();
    const { origin, printed } = await start();
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.created'] });
    const traffic = startTraffic(origin, ['load'], PER_SECOND);
    const answers = new Map<string, { status: number; code: string | undefined }>();
    const ask = async (slug: string) => {
      const { status, body } = await api('POST', '/links', { destination: 'https://example.com/', slug });
      answers.set(slug, { status, code: body.error?.code });
    };
    const refusals = () => [...answers.values()].filter(({ status }) => status !== 201);
    const hasWarned = () =>
      /Clicks wait in the journal because the store does not accept them: SQLITE_FULL/.test(printed());
    await until(
      async () => {
        disk.fill();
        await Promise.all([ask(`full-${answers.size}`), delay(50)]);
        return refusals().length > 10 && hasWarned();
      },
      'refused writes, and clicks that wait',
      60_000,
    );
    const refused = refusals();
    for (const answer of refused) expect(answer).to.deep.equal({ status: 503, code: 'unavailable' });
    expect((await api('GET', '/links')).status, 'reading goes on').to.equal(200);

    await disk.makeRoom();
    await until(
      async () => (await api('POST', '/links', { destination: 'https://example.com/', slug: 'after' })).status === 201,
      'room',
      60_000,
    );
    await traffic.stop();
    expect([...traffic.answers.keys()]).to.deep.equal([302]);
    const followed = traffic.answers.get(302) ?? 0;
    await until(async () => (await storedClicks(store)) >= followed, `${followed} clicks`);
    await delay(1500);
    expect(await storedClicks(store)).to.equal(followed);
    expect(await dropped(origin)).to.equal(0);

    const made = [...answers].filter(([, { status }]) => status === 201).map(([slug]) => slug);
    const { data } = (await api('GET', '/links?limit=100')).body;
    const slugs = data.map(({ slug }: { slug: string }) => slug);
    expect(slugs.sort(), 'what was refused is not there').to.deep.equal(['load', 'after', ...made].sort());
    const told = () => new Set(receiver.received.map(({ event }) => event.data.link.slug));
    await until(() => [...made, 'after'].every((slug) => told().has(slug)), 'the events', 60_000);
    // The first link is older than the webhook, and its event is sent if the outbox was read after that.
    const toldOf = [...told()].filter((slug) => slug !== 'load');
    expect(toldOf.sort(), 'no event of what was refused').to.deep.equal(['after', ...made].sort());
    expect((await fetch(`${origin}/healthz`)).status).to.equal(200);
  });
});
