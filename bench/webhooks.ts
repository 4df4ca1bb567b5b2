import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { option, type Product, print, startProduct } from './support/product.ts';

/**
 * Deliveries a second to a receiver on loopback, from one process with every attempt in its log, beside a bare undici
 * loop that posts the same bytes with an HMAC; events a second to one slow receiver, alone and in batches; then how late
 * fifty healthy webhooks get their events, alone and while others hang. Receiver and bare loop are processes of their own.
 *
 *   npm run bench -- webhooks [deliveries=20000] [webhooks=20] [seconds=20] [queued=10000] [store=sqlite|postgres]
 */
const deliveries = Number(option('deliveries', '20000'));
const webhooks = Number(option('webhooks', '20'));
const seconds = Number(option('seconds', '20'));
const queued = Number(option('queued', '10000'));
const only = option('store', '');

const PORT = 3897;
const HEALTHY = 50;
const TIMING_OUT = 20;
const BULK = 1000;

/** What one receiver that answers after 60 ms gets: events, and how its webhook is set. */
const BUSY: [events: number, more: object][] = [
  [1000, {}],
  [5000, { max_in_flight: 100 }],
  [20_000, { batch: { max_events: 1000, max_wait_seconds: 1 } }],
];

/** What the receiver tells of itself. */
interface Counted {
  ok: number;
  requests: number;
  firstAtMs: number;
  lastAtMs: number;
  lags: number[];
  sample: { headers: Record<string, string>; body: string } | null;
}

for (const store of ['sqlite', 'postgres'].filter((name) => !only || name === only)) {
  print(`\n── ${store} ──`);
  await measureRate(store, webhooks);
  await measureRate(store, 1);
  for (const [count, more] of BUSY) await measureBusy(store, count, more);
  await measureLag(store, {});
  await measureLag(store, { WEBHOOK_CIRCUIT_AFTER: '0', WEBHOOK_DISABLE_AFTER: '0' });
}

/** What waits for a receiver that was down is delivered when it comes back: the circuit holds it until then. */
async function measureRate(store: string, count: number): Promise<void> {
  const receiver = await startReceiver();
  const env = { ALLOW_PRIVATE_TARGETS: 'true', WEBHOOK_PROBE_SECONDS: '1', WEBHOOK_PROBE_MAX_SECONDS: '1' };
  const product = await startProduct(store, {
    port: PORT,
    database: 'svc_bench_webhooks',
    env: { ...env, WEBHOOK_DISABLE_AFTER: '0', WEBHOOK_RETRY_SECONDS: Array(60).fill(1).join() },
  });
  try {
    await receiver.ask('mode', 'down');
    const ids: string[] = [];
    for (let made = 0; made < count; made += 1) {
      ids.push(
        (await product.call('POST', '/webhooks', { url: `${receiver.url}/ok`, event_types: ['link.updated'] })).id,
      );
    }
    const events = Math.ceil(deliveries / count);
    const links = await makeLinks(product, Math.min(BULK, events));
    const startedAt = performance.now();
    let last = '';
    for (let raised = 0; raised < events; raised += links.length) {
      last = `round ${raised}`;
      const some = links.slice(0, events - raised);
      await product.call('PATCH', '/links/bulk', { ids: some, set: { data: { round: last } } });
    }
    await allFannedOut(product, ids);
    const fannedOut = ((events * count) / (performance.now() - startedAt)) * 1000;
    await delay(1500);
    await receiver.ask('reset');
    await receiver.ask('mode', 'ok');
    const total = events * count;
    const counted = await receiver.until((now) => now.ok >= total, 300_000);
    const rate = (counted.ok / (counted.lastAtMs - counted.firstAtMs)) * 1000;
    await product.stop();
    const bare = await bareRate(receiver, counted, count);
    print(
      `${total} deliveries to ${count} webhooks: ${Math.round(rate)}/s · bare undici ${Math.round(bare)}/s · ratio ` +
        `${(rate / bare).toFixed(2)} · made from ${events} changes of links at ${Math.round(fannedOut)}/s`,
    );
  } finally {
    await product.stop();
    receiver.stop();
  }
}

/** Events a second that reach one busy receiver, from the moment when the first of them happens. */
async function measureBusy(store: string, count: number, more: object): Promise<void> {
  const receiver = await startReceiver();
  const env = { ALLOW_PRIVATE_TARGETS: 'true' };
  const product = await startProduct(store, { port: PORT, database: 'svc_bench_webhooks', env });
  try {
    await product.call('POST', '/webhooks', { url: `${receiver.url}/slow`, event_types: ['link.updated'], ...more });
    const links = await makeLinks(product, Math.min(BULK, count));
    await receiver.ask('reset');
    const startedAtMs = Date.now();
    for (let raised = 0; raised < count; raised += links.length) {
      await product.call('PATCH', '/links/bulk', { ids: links, set: { data: { round: raised } } });
    }
    const raisedMs = Date.now() - startedAtMs;
    const { ok, requests, lastAtMs } = await receiver.until((now) => now.ok >= count, 300_000);
    const rate = Math.round((ok / (lastAtMs - startedAtMs)) * 1000);
    print(
      `one receiver that takes 60 ms, ${JSON.stringify(more)}: ${rate} events/s, ${ok} in ${requests} requests; they were ` +
        `made at ${Math.round((count / raisedMs) * 1000)}/s`,
    );
  } finally {
    await product.stop();
    receiver.stop();
  }
}

async function makeLinks(product: Product, count: number): Promise<string[]> {
  const links = Array.from({ length: count }, (_, at) => ({ destination: `https://www.example.com/${at}` }));
  const { results } = await product.call('POST', '/links/bulk', { links });
  return results.map(({ link }: { link: { id: string } }) => link.id);
}

/** Until the newest delivery of each webhook stays the newest for a second. */
async function allFannedOut(product: Product, webhookIds: string[]): Promise<void> {
  const newest = async () => {
    const pages = await Promise.all(webhookIds.map((id) => product.call('GET', `/webhooks/${id}/deliveries?limit=1`)));
    return pages.map(({ data }) => data[0]?.id).join();
  };
  for (let before = '', now = await newest(); now !== before; before = now, now = await newest()) await delay(1000);
}

/** The same bytes and as many requests at once, from a process that does nothing else. */
async function bareRate(receiver: Receiver, { sample }: Counted, count: number): Promise<number> {
  await receiver.ask('reset');
  const bare = fork(new URL('./support/bareSender.ts', import.meta.url), [], { execArgv: ['--import=tsx'] });
  bare.send({ url: `${receiver.url}/ok`, sample, total: deliveries, inFlight: Math.min(100, 10 * count) });
  const counted = await receiver.until((now) => now.ok >= deliveries, 120_000);
  bare.kill('SIGKILL');
  return (counted.ok / (counted.lastAtMs - counted.firstAtMs)) * 1000;
}

async function measureLag(store: string, env: Record<string, string>): Promise<void> {
  const receiver = await startReceiver();
  const product = await startProduct(store, {
    port: PORT,
    database: 'svc_bench_webhooks',
    env: { ALLOW_PRIVATE_TARGETS: 'true', ...env },
  });
  try {
    const healthy = await linksWithWebhooks(product, HEALTHY, `${receiver.url}/lag`);
    // A cold process is busy with these changes alone for its first seconds.
    await changeAll(product, healthy, 16);
    const alone = await lagOf(product, receiver, healthy);
    await startHanging(product, receiver);
    const beside = await lagOf(product, receiver, healthy);
    const circuit = env.WEBHOOK_CIRCUIT_AFTER === '0' ? 'without a circuit' : 'as set';
    print(
      `lag of ${HEALTHY} webhooks at 2 events a second, ${circuit}: alone ${line(alone)} · while one hangs with ` +
        `${queued} queued and ${TIMING_OUT} time out ${line(beside)} · p99 ratio ${(at(beside, 0.99) / at(alone, 0.99)).toFixed(2)}`,
    );
  } finally {
    await product.stop();
    receiver.stop();
  }
}

/** One webhook with everything that waits for it, and twenty with a little; none ever gets an answer. */
async function startHanging(product: Product, receiver: Receiver): Promise<void> {
  const many = await makeLinks(product, Math.min(BULK, queued));
  const tags = ['hanging'];
  await product.call('PATCH', '/links/bulk', { ids: many, set: { tags } });
  const tag = (await product.call('GET', '/tags')).data.find(({ name }: { name: string }) => name === 'hanging');
  const hanging = { url: `${receiver.url}/hang`, event_types: ['link.updated'], scope: { tag_id: tag.id } };
  const { id } = await product.call('POST', '/webhooks', hanging);
  for (let made = 0; made < queued; made += many.length) {
    await product.call('PATCH', '/links/bulk', { ids: many, set: { data: { made } } });
  }
  const slow = await linksWithWebhooks(product, TIMING_OUT, `${receiver.url}/hang`);
  for (let round = 0; round < 20; round += 1) await changeAll(product, slow, 1);
  await allFannedOut(product, [id]);
}

async function linksWithWebhooks(product: Product, count: number, url: string): Promise<string[]> {
  const links = await makeLinks(product, count);
  for (const link_id of links) {
    await product.call('POST', '/webhooks', { url, event_types: ['link.updated'], scope: { link_id } });
  }
  return links;
}

async function lagOf(product: Product, receiver: Receiver, links: string[]): Promise<number[]> {
  await receiver.ask('reset');
  await changeAll(product, links, seconds * 2);
  return (await receiver.until((now) => now.lags.length >= links.length * seconds * 2, 60_000)).lags;
}

/** Changes each link twice a second, spread evenly. */
async function changeAll(product: Product, links: string[], times: number): Promise<void> {
  const startedAt = performance.now();
  const under = new Set<Promise<unknown>>();
  for (let made = 0; made < times * links.length; made += 1) {
    const dueMs = startedAt + (made * 500) / links.length;
    await delay(Math.max(0, dueMs - performance.now()));
    const change = product.call('PATCH', `/links/${links[made % links.length]}`, { data: { made, startedAt } });
    under.add(change);
    void change.finally(() => under.delete(change));
  }
  await Promise.all(under);
}

interface Receiver {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is asked for differs
  ask(what: string, value?: string): Promise<any>;
  until(holds: (now: Counted) => boolean, withinMs: number): Promise<Counted>;
  stop(): void;
}

async function startReceiver(): Promise<Receiver> {
  const child: ChildProcess = fork(new URL('./support/receiver.ts', import.meta.url), [], {
    execArgv: ['--import=tsx'],
  });
  const ask = (what: string, value?: string) =>
    new Promise<never>((resolve) => {
      child.once('message', resolve as (message: unknown) => void);
      child.send({ what, value });
    });
  const port = await ask('port');
  return {
    url: `http://127.0.0.1:${port}`,
    ask,
    async until(holds, withinMs) {
      const end = performance.now() + withinMs;
      for (;;) {
        const now = (await ask('counted')) as Counted;
        if (holds(now)) return now;
        if (performance.now() > end) throw new Error(`Not all arrived: ${now.ok} and ${now.lags.length}`);
        await delay(200);
      }
    },
    stop: () => child.kill('SIGKILL'),
  };
}

function at(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.max(1, sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

function line(lags: number[]): string {
  return `p50 ${at(lags, 0.5)} ms, p99 ${at(lags, 0.99)} ms, worst ${at(lags, 1)} ms`;
}
