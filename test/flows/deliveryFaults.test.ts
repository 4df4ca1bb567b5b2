// plays, stores: each
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { type Api, apiOf } from '../support/api.ts';
import { type Child, freePort, startChild } from '../support/child.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { makeStore, STORE, type Store } from '../support/stores.ts';
import { until } from '../support/until.ts';

const LINKS = 40;
const QUICK = { WEBHOOK_TIMEOUT_SECONDS: '2', WEBHOOK_SWEEP_SECONDS: '1' };

/** What may happen to the process, its stores and its neighbours while it delivers; nothing may be lost by it. */
describe('faults while webhooks are delivered', () => {
  let store: Store;
  let receiver: Receiver;
  let key: string;
  /** The process that is left when a test is over: the next one goes on with it. */
  let child: Child;
  const children: Child[] = [];

  before(async function () {
    this.timeout(600_000);
    store = await makeStore();
    child = await start('one');
    key = child.secretKey;
  });
  beforeEach(async () => {
    receiver = await startReceiver((_, response) => void setTimeout(() => response.end('ok'), 100));
  });
  afterEach(async () => {
    const api = apiOf(child.origin, key);
    for (const { id } of (await api('GET', '/webhooks')).body.data) await api('DELETE', `/webhooks/${id}`);
    await receiver.close();
  });
  after(async () => {
    await Promise.all(children.map((started) => started.kill()));
    await store?.remove();
  });

  const start = async (folder: string, env: Record<string, string> = {}) => {
    const own: Record<string, string> = STORE === 'postgres' ? { DATA_DIR: `${store.dataDir}/${folder}` } : {};
    const started = await startChild(await freePort(), { ...store.env, ...QUICK, ...own, ...env });
    children.push(started);
    return started;
  };

  /** Sent again after a 503, as a customer does: a process that stands still holds its locks for a while. */
  const makeLink = (api: Api): Promise<string> => {
    const headers = { 'Idempotency-Key': randomUUID() };
    return until(async () => {
      const { status, body } = await api('POST', '/links', { destination: 'https://example.com/' }, { headers });
      expect(status, JSON.stringify(body)).to.be.oneOf([201, 503]);
      return status === 201 ? (body.id as string) : null;
    }, 'a link');
  };
  const makeLinks = (api: Api, count = LINKS): Promise<string[]> => {
    return Promise.all(Array.from({ length: count }, () => makeLink(api)));
  };
  const told = () => new Set(receiver.received.map(({ event }) => event.data.link.id));
  const allTold = (ids: string[], withinMs: number) =>
    until(() => ids.every((id) => told().has(id)), `all ${ids.length} events`, withinMs);

  /** Every delivery succeeded, and the log has each of its attempts once. */
  const expectWholeLog = async (api: Api, webhookId: string, count: number) => {
    const { data } = await until(
      async () => {
        const { body } = await api('GET', `/webhooks/${webhookId}/deliveries?limit=100&status=succeeded`);
        return body.data?.length === count ? body : null;
      },
      'every success to be written down',
      40_000,
    );
    for (const { attempts, attempt_count } of data) {
      expect(attempts.map(({ number }: { number: number }) => number)).to.deep.equal(
        Array.from({ length: attempt_count }, (_, at) => at + 1),
      );
    }
  };

  it('SIGTERM: what is in flight ends and is written down; nothing is sent twice', async function () {
    this.timeout(600_000);
    const webhook = await apiOf(child.origin, key)('POST', '/webhooks', { url: receiver.url });
    const ids = await makeLinks(apiOf(child.origin, key));
    await until(() => receiver.received.length > 5, 'the first deliveries');
    expect(await child.terminate()).to.equal(0);
    child = await start('one');
    await allTold(ids, 60_000);
    await expectWholeLog(apiOf(child.origin, key), webhook.body.id, LINKS);
    expect(receiver.received).to.have.length(LINKS);
  });

  it('the job store is lost: what was to be sent is known without it', async function () {
    this.timeout(600_000);
    if (STORE === 'postgres') this.skip();
    const webhook = await apiOf(child.origin, key)('POST', '/webhooks', { url: receiver.url });
    const ids = await makeLinks(apiOf(child.origin, key));
    await child.kill();
    await rm(`${store.dataDir}/jobs`, { recursive: true, force: true });
    child = await start('one');
    await allTold(ids, 60_000);
    await expectWholeLog(apiOf(child.origin, key), webhook.body.id, LINKS);
  });

  it('the store goes away while requests are in flight: what came of them is written when it is back', async function () {
    this.timeout(600_000);
    if (!store.goAway) this.skip();
    const api = apiOf(child.origin, key);
    const webhook = await api('POST', '/webhooks', { url: receiver.url });
    const ids = await makeLinks(api);
    await until(() => receiver.received.length > 5, 'the first deliveries');
    await store.goAway?.();
    await delay(3000);
    await store.comeBack?.();
    await allTold(ids, 60_000);
    await expectWholeLog(api, webhook.body.id, LINKS);
  });

  it('several workers, one killed and one stopped for longer than its lease: each event arrives', async function () {
    this.timeout(600_000);
    if (STORE !== 'postgres' || process.env.TEST_POSTGRES_SHARED === 'true') this.skip();
    await child.terminate();
    child = await start('web', { ROLE: 'web' });
    const ask = apiOf(child.origin, key);
    const workers = [await start('w1', { ROLE: 'worker' }), await start('w2', { ROLE: 'worker' })];
    const webhooks: string[] = [];
    for (let made = 0; made < 4; made += 1) {
      webhooks.push((await ask('POST', '/webhooks', { url: receiver.url, event_types: ['link.created'] })).body.id);
    }
    const ids = await makeLinks(ask);
    await until(() => receiver.received.length > 20, 'the first deliveries');
    await workers[0]?.kill();
    workers[1]?.freeze();
    workers.push(await start('w3', { ROLE: 'worker' }));
    ids.push(...(await makeLinks(ask, 10)));
    const arrived = () => new Set(receiver.received.map(({ headers }) => headers['svc-delivery-id'])).size;
    await until(() => arrived() === ids.length * webhooks.length, 'every delivery', 300_000).catch((error) => {
      throw new Error(`${error.message}; ${arrived()} of ${ids.length * webhooks.length} have arrived`);
    });
    workers[1]?.thaw();
    await delay(3000);
    for (const id of webhooks) await expectWholeLog(ask, id, ids.length);
  });
});
