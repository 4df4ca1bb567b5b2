// plays, stores: each
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { askStore } from '../support/askStore.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type ClickHouse, hasEngine, startClickHouse } from '../support/clickHouse.ts';
import { type InsertGate, startInsertGate } from '../support/insertGate.ts';
import { NO_LIMITS } from '../support/noLimits.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { expectMatch, newAddress, PIXEL, type Sdk, sdkWith } from '../support/sdk.ts';
import { makeStore, type Store } from '../support/stores.ts';
import { startTraffic } from '../support/traffic.ts';
import { until } from '../support/until.ts';

const PEOPLE = 20;
const ROUNDS = Number(process.env.KILL_ROUNDS ?? 3);
/** The job of a killed process counts as running until its heartbeat is missed. */
const TAKEOVER_MS = 120_000;
/** Longer than the job waits between two looks for clicks. */
const SETTLED_MS = 3000;
const SETTINGS = {
  TRAFFIC_COLLECT_SECONDS: '1',
  TRUSTED_PROXIES: '127.0.0.1',
  // Otherwise new classes would be inserted too, by others.
  SCANNER_BURST_LINKS: '0',
  ...NO_LIMITS,
};

/** Apps that are opened by a link write no journal: what is inserted while nobody follows links, storeClicks inserts. */
describe('kill -9 while storeClicks is at work', function () {
  this.timeout(600_000);
  let clickHouse: ClickHouse;
  let gate: InsertGate;
  let store: Store;
  let port: number;
  let receiver: Receiver;
  let child: Child;
  let keys: { secret: string; publishable: string } | undefined;
  let api: Api;
  let sdk: Sdk;
  let link: { id: string; slug: string; short_url: string };
  /** Clicks that were answered. */
  let answered = 0;
  /** Openings that nobody answered, each of which may be a click. */
  let unanswered = 0;

  const start = async () => {
    child = await startChild(port, { ...store.env, ...SETTINGS, CLICKS_URL: gate.url });
    keys ??= { secret: child.secretKey, publishable: child.publishableKey };
    api = apiOf(child.origin, keys.secret);
    sdk = sdkWith(apiOf(child.origin, keys.publishable, 'sdk'));
  };
  const open = async () => {
    const body = { install_id: randomUUID(), ...PIXEL.device, url: link.short_url };
    const reply = await sdk.open(body, { from: newAddress() }).catch(() => null);
    if (reply) expectMatch(reply, 'link', link);
    if (reply) answered += 1;
    else unanswered += 1;
  };
  const openMany = (count: number) => Promise.all(Array.from({ length: count }, open));
  const countOf = async (purpose: 'store' | 'event') => {
    const sql = `SELECT COUNT(*) AS count FROM click_queue WHERE purpose = '${purpose}'`;
    const [row] = await askStore<{ count: string | number }>(store, sql);
    return Number(row?.count);
  };
  const inAnalytics = async () => (await api('GET', '/analytics?traffic=all')).body.total?.count;
  const told = () => new Set(receiver.received.map(({ event }) => event.id)).size;
  /** On its link, in figures and in events, by the same number; that of figures is what ClickHouse has. */
  const counts = async () => [(await api('GET', `/links/${link.id}`)).body.clicks, await inAnalytics(), told()];

  /** Every click that was answered once, and of the others each everywhere or nowhere. */
  const expectAllCounted = async () => {
    await until(async () => (await countOf('store')) + (await countOf('event')) === 0, 'the queues', TAKEOVER_MS);
    const isSame = async () => new Set(await counts()).size === 1 && (await inAnalytics()) >= answered;
    await until(isSame, `${answered} clicks everywhere`, TAKEOVER_MS).catch(async () => {
      throw new Error(`Of ${answered} clicks, link, figures and webhook have ${await counts()}`);
    });
    await delay(SETTLED_MS);
    const [first, ...others] = await counts();
    expect(others).to.deep.equal([first, first]);
    expect(first).to.be.within(answered, answered + unanswered);
    answered = first;
    unanswered = 0;
  };

  before(async function () {
    if (!hasEngine()) this.skip();
    clickHouse = await startClickHouse();
    [gate, store, receiver] = await Promise.all([startInsertGate(clickHouse.url), makeStore(), startReceiver()]);
    port = await freePort();
    await start();
    await api('POST', '/webhooks', { url: receiver.url, event_types: ['link.clicked'] });
    link = (await api('POST', '/links', { destination: 'https://example.com/', slug: 'one' })).body;
    // Makes the table.
    await openMany(1);
    await expectAllCounted();
  });
  after(async () => {
    await child?.kill();
    await receiver?.close();
    await store?.remove();
    await gate?.close();
    await clickHouse?.stop();
  });

  /**
   * Kills the product while an insert of the job is held, with all its clicks still in the queue and others behind them: the same
   * rows once more would be a block that ClickHouse knows, and does not even write.
   */
  const killDuringInsert = async (what: 'insert' | 'answer') => {
    const before = answered;
    const held = gate.holdNext(what);
    await openMany(PEOPLE);
    const insert = await held;
    expect(insert.rows).to.be.within(1, PEOPLE);
    await openMany(PEOPLE);
    expect([answered, unanswered]).to.deep.equal([before + 2 * PEOPLE, 0]);
    await child.kill();
    expect(await countOf('store')).to.equal(2 * PEOPLE);
    return insert;
  };

  it('loses no click that ClickHouse did not get', async () => {
    await killDuringInsert('insert');
    await start();
    await expectAllCounted();
  });

  it('counts clicks once that ClickHouse has, though the job never heard of it', async () => {
    await killDuringInsert('answer');
    await start();
    await expectAllCounted();
  });

  it('counts clicks once of an insert that ClickHouse runs after the next process has moved them', async () => {
    const insert = await killDuringInsert('insert');
    await start();
    await expectAllCounted();
    await insert.letGo();
    await expectAllCounted();
  });

  it('loses and doubles nothing when it is killed again and again while clicks of links are inserted too', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const traffic = startTraffic(child.origin, [link.slug], 50);
      let isKilled = false;
      const killed = gate.holdNext(round % 2 === 0 ? 'insert' : 'answer').then(async () => {
        await child.kill();
        isKilled = true;
      });
      while (!isKilled) await openMany(4);
      await killed;
      await traffic.stop();
      answered += traffic.answers.get(302) ?? 0;
      unanswered += traffic.answers.get(0) ?? 0;
      await start();
    }
    await expectAllCounted();
  });
});
