import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeStore, option, print, startOn } from './support/product.ts';
import { redirectsMeanwhile } from './support/redirectsMeanwhile.ts';

/**
 * What strangers can make grow in a minute at the quotas of the defaults, and what redirects of a link that is not theirs
 * wait meanwhile: events as large as may be with random installs, and openings of random installs, from one address and
 * from ten. The figures of redirects are beside those of a quiet product in the same run.
 *
 *   npm run bench -- floods [seconds=20] [port=3893]
 */
const seconds = Number(option('seconds', '20'));

const PORT = Number(option('port', '3893'));
const ORIGIN = `http://127.0.0.1:${PORT}`;
const STEADY_A_SECOND = 100;
const WORKERS = 16;
const MB = 1024 * 1024;

const store = await makeStore('sqlite', '');
const product = await startOn(store, { port: PORT, env: { TRUSTED_PROXIES: '127.0.0.1' } });
try {
  const { data } = await product.call('GET', '/keys');
  const { key } = data.find(({ kind }: { kind: string }) => kind === 'publishable');
  await product.call('POST', '/links', { destination: 'https://www.example.com/', slug: 'quiet' });
  print(`${'flood'.padEnd(34)} asked  let through   grown   redirects p50, p99 in ms`);
  await measure('none', null);
  for (const addresses of [1, 10]) {
    await measure(`events, ${addresses} address(es)`, (at) => send(key, '/event', largest(), at % addresses));
    await measure(`openings, ${addresses} address(es)`, (at) => send(key, '/open', opening(), at % addresses));
  }
} finally {
  await product.stop();
  await store.remove();
}

/** Floods for so many seconds, which is less than a window: what was let through is what a minute lets through. */
async function measure(name: string, ask: ((at: number) => Promise<boolean>) | null): Promise<void> {
  // Quotas begin anew.
  if (ask) await new Promise((resolve) => setTimeout(resolve, 61_000));
  const before = await bytesIn(store.folder);
  let [asked, passed] = [0, 0];
  const work = async () => {
    const workers = Array.from({ length: WORKERS }, async () => {
      asked += 1;
      if (await ask?.(asked)) passed += 1;
    });
    await Promise.all(workers);
  };
  const order = { port: PORT, host: `localhost:${PORT}`, perSecond: STEADY_A_SECOND, seconds, paths: ['/quiet'] };
  const { p50, p99 } = await redirectsMeanwhile(order, ask ? work : undefined);
  const grown = ((await bytesIn(store.folder)) - before) / MB;
  print(
    `${name.padEnd(34)} ${String(asked).padStart(5)} ${String(passed).padStart(12)} ${grown.toFixed(1).padStart(6)} MB   ${p50.toFixed(1)}, ${p99.toFixed(1)}`,
  );
}

/** Some 60 KB: 26 events with properties of 2 KiB. */
function largest(): object {
  const properties = { text: 'x'.repeat(2000) };
  return { install_id: randomUUID(), events: Array.from({ length: 26 }, () => ({ name: 'step', properties })) };
}

function opening(): object {
  return { install_id: randomUUID(), first_open: true, platform: 'ios', os_version: '18.5' };
}

/** Whether it was let through: an opening over its quota is answered too, with `Retry-After`. */
async function send(key: string, below: string, body: object, address: number): Promise<boolean> {
  const headers = { 'X-SVC-Key': key, 'Content-Type': 'application/json', 'X-Forwarded-For': `198.51.100.${address}` };
  const reply = await fetch(`${ORIGIN}/v1/sdk${below}`, { method: 'POST', headers, body: JSON.stringify(body) });
  await reply.arrayBuffer();
  return reply.ok && !reply.headers.has('retry-after');
}

async function bytesIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = names.map((name) =>
    stat(path.join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
