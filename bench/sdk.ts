import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import { addressOf, loadSdk, openingOf, type SdkLoad, type SdkRequest } from './support/loadSdk.ts';
import { option, type Product, print, startProduct } from './support/product.ts';

/**
 * What apps ask, beside a bare Koa server that reads the same bodies and answers as many bytes, on both stores. Every
 * opening is of another install at another address. One process answers, the load comes from another one.
 *
 *   npm run bench -- sdk [seconds=5] [clicks=20000] [store=sqlite|postgres]
 */
const seconds = Number(option('seconds', '5'));
const clicks = Number(option('clicks', '20000'));
const only = option('store', '');

const PORT = 3889;
const BARE_PORT = 3890;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const BATCH = 20;
const UNLIMITED = '1000000000';
const SETTINGS = {
  TRUSTED_PROXIES: '127.0.0.1',
  RATE_LIMIT_PUBLISHABLE_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_PUBLISHABLE_ADDRESS_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_EVENTS_PER_MINUTE: UNLIMITED,
  RATE_LIMIT_ADDRESS_EVENTS_PER_MINUTE: UNLIMITED,
  SDK_EVENTS_PER_DAY: UNLIMITED,
  SDK_INSTALLS_PER_DAY: UNLIMITED,
  RATE_LIMIT_INSTALL_PER_MINUTE: UNLIMITED,
};
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

for (const store of ['sqlite', 'postgres'].filter((name) => !only || name === only)) {
  const product = await startProduct(store, { port: PORT, database: 'svc_bench_sdk', env: SETTINGS });
  print(`\n── ${store} ──`);
  try {
    await measure(product);
  } finally {
    await product.stop();
  }
}

async function measure({ call }: Product): Promise<void> {
  const { data } = await call('GET', '/keys');
  const { key } = data.find(({ kind }: { kind: string }) => kind === 'publishable');
  const link = await call('POST', '/links', { destination: 'https://www.example.com/', data: { screen: 'sale' } });
  const ask = (next: (at: number) => SdkRequest, most?: number) =>
    loadSdk(ORIGIN, key, next, { seconds, ...(most === undefined ? {} : { most }) });
  const known = Array.from({ length: 2000 }, () => randomUUID());
  const oneOf = (at: number) => known[at % known.length] as string;

  const bare = await bareKoa(key);
  show('bare Koa', bare, bare);
  const organic = (at: number) => ({ path: '/open', address: addressOf(0xf00000 + at), body: openingOf() });
  await loadSdk(ORIGIN, key, organic, { seconds: 1 });
  show('first open, no click there', await ask(organic), bare);
  await click(new URL(link.short_url).pathname);
  const clicked = (at: number) => ({ path: '/open', address: addressOf(at), body: openingOf() });
  show(`first open, one click there (${clicks})`, await ask(clicked, clicks), bare);
  const later = (at: number) => openingOf({ install_id: oneOf(at), first_open: false });
  show('later open', await ask((at) => ({ path: '/open', address: addressOf(at), body: later(at) })), bare);
  const byUrl = (at: number) => ({ ...later(at), url: link.short_url });
  show('later open by a link', await ask((at) => ({ path: '/open', address: addressOf(at), body: byUrl(at) })), bare);
  const resolve = { path: '/resolve', address: addressOf(1), body: { url: link.short_url } };
  show('resolve', await ask(() => resolve), bare);
  const event = () => ({ id: randomUUID(), name: 'purchase', value: 9.99, currency: 'EUR', properties: { items: 3 } });
  const single = (at: number) => ({ install_id: oneOf(at), ...event() });
  show('one event', await ask((at) => ({ path: '/event', address: addressOf(at), body: single(at) })), bare);
  const many = (at: number) => ({ install_id: oneOf(at), events: Array.from({ length: BATCH }, event) });
  const batches = await ask((at) => ({ path: '/event', address: addressOf(at), body: many(at) }));
  show(`${BATCH} events`, batches, bare);
  print(`  ${batches.perSecond * BATCH} events/s in batches of ${BATCH}`);
}

function show(name: string, { perSecond, p50, p99, matched, answers }: SdkLoad, bare: SdkLoad): void {
  const ratio = (perSecond / bare.perSecond).toFixed(2);
  const share = matched > 0 ? ` · ${Math.round((matched / answers) * 100)} % matched` : '';
  print(`${name.padEnd(40)} ${String(perSecond).padStart(6)}/s · p50 ${p50} p99 ${p99} ms · ratio ${ratio}${share}`);
}

/** One click from each address. */
async function click(path: string): Promise<void> {
  let at = 0;
  await autocannon({
    url: ORIGIN,
    connections: 64,
    amount: clicks,
    requests: [
      {
        setupRequest(request) {
          const headers = { 'User-Agent': IPHONE, 'Accept-Language': 'de-DE', 'X-Forwarded-For': addressOf(at) };
          at += 1;
          return { ...request, path, headers };
        },
      },
    ],
  });
  // The drain runs each second; what is left in the journal would be moved by the first opening.
  await new Promise((resolve) => setTimeout(resolve, 3000));
}

async function bareKoa(key: string): Promise<SdkLoad> {
  const answer = JSON.stringify({ open_id: randomUUID(), match: { factors: [] }, link: 'x'.repeat(300) });
  const program = `const Koa = require('koa'); const app = new Koa(); const body = ${JSON.stringify(answer)};
    app.use(async (ctx) => { const chunks = []; for await (const chunk of ctx.req) chunks.push(chunk);
      JSON.parse(Buffer.concat(chunks)); ctx.type = 'application/json'; ctx.body = body; });
    app.listen(${BARE_PORT}, '127.0.0.1', () => console.log('ready'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    const next = (at: number) => ({ path: '/open', address: addressOf(at), body: openingOf() });
    await loadSdk(`http://127.0.0.1:${BARE_PORT}`, key, next, { seconds: 1 });
    return await loadSdk(`http://127.0.0.1:${BARE_PORT}`, key, next, { seconds });
  } finally {
    child.kill('SIGKILL');
  }
}
