import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { type Load, loadRedirects } from './support/loadRedirects.ts';
import { option, type Product, print, startProduct } from './support/product.ts';
import { makeRoutedLinks, slugAt } from './support/redirectLinks.ts';
import { requestMaker } from './support/redirectRequests.ts';
import { redirectsMeanwhile } from './support/redirectsMeanwhile.ts';
import { percentile, short } from './support/timings.ts';

/**
 * How many redirects a second one process answers, with its journal on, beside a bare Node http server that answers
 * 302 to the same requests – the limit of this machine. Both are asked in turns, so that whatever else the machine does
 * hits both: for one link, and for links of all kinds by visitors of all kinds. Then what the drain of a backlog costs
 * redirects that come at a steady low rate.
 *
 *   npm run bench -- redirect [rounds=5] [seconds=5] [links=100000] [store=sqlite|postgres] [soak=0]
 *     soak: redirects to follow at the end for memory
 */
const rounds = Number(option('rounds', '5'));
const seconds = Number(option('seconds', '5'));
const links = Number(option('links', '100000'));
const only = option('store', '');
const soak = Number(option('soak', '0'));

const PORT = 3877;
const BARE_PORT = 3878;
const METRICS_TOKEN = 'the token of a benchmark';
const STEADY_A_SECOND = 500;
/** Made beforehand for each round; another seed each, so that rounds together ask for nearly every link. */
const REQUESTS = 32_000;
const CALIBRATION = 640;

const SINGLE: Request[] = [
  {
    path: '/bench',
    headers: {
      'User-Agent':
        'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
      'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8',
      Referer: 'https://t.co/abc',
    },
  },
];

const BARE = `require('node:http').createServer((q, s) => {
  s.writeHead(302, { Location: 'https://example.com/landing?from=bench', 'Cache-Control': 'private, no-store', 'Content-Length': '0' });
  s.end();
}).listen(${BARE_PORT}, '127.0.0.1')`;

/** One comparison. */
interface Pair {
  bare: Load;
  ours: Load;
}

/** p99 in milliseconds of redirects at a steady rate. */
interface Steady {
  idle: number;
  draining: number;
}

const bare = spawn(process.execPath, ['-e', BARE], { stdio: 'inherit' });
try {
  for (const store of ['sqlite', 'postgres'].filter((name) => !only || name === only)) await measureStore(store);
} finally {
  bare.kill('SIGKILL');
}

async function measureStore(store: string): Promise<void> {
  print(`\n── ${store}, ${links} links ──`);
  const product = await startProduct(store, {
    port: PORT,
    database: 'svc_bench_redirect',
    env: { TRUSTED_PROXIES: '127.0.0.1', METRICS_TOKEN },
  });
  try {
    await prepare(product);
    const bytes = await bytesOfClick();
    const single: Pair[] = [];
    const mixed: Pair[] = [];
    const steady: Steady[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      print(`round ${round}`);
      single.push(await compare('one link', SINGLE, bytes));
      mixed.push(await compare('mixed', requestsOf(round), bytes));
      steady.push(await measureSteady(requestsOf(round)));
    }
    printTable({ 'one link': single, mixed }, steady);
    if (soak > 0) await watchMemory(product);
  } finally {
    await product.stop();
  }
}

/** Makes the links, and asks for each once: from then on all are in memory. */
async function prepare(product: Product): Promise<void> {
  const startedAt = performance.now();
  await makeRoutedLinks(product, links);
  await product.call('POST', '/links', { destination: 'https://example.com/landing?from=bench', slug: 'bench' });
  print(`made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  await loadRedirects(BARE_PORT, SINGLE, { seconds: 1 });
  const make = requestMaker(links, 0);
  const each = Array.from({ length: links }, (_, at) => ({ ...make(), path: `/${slugAt(at)}` }));
  const first = await loadRedirects(PORT, each, { amount: links });
  print(`each asked for the first time: ${line(first)}`);
  await loadRedirects(PORT, SINGLE, { seconds: Math.min(seconds, 3) });
  await drained();
  print(`warm, idle: resident ${await residentMiB(product.child)} MiB`);
}

function requestsOf(round: number): Request[] {
  return Array.from({ length: REQUESTS }, requestMaker(links, round));
}

async function compare(name: string, requests: Request[], bytes: number): Promise<Pair> {
  const limit = await loadRedirects(BARE_PORT, requests, { seconds });
  const ours = await loadRedirects(PORT, requests, { seconds });
  const waiting = await waitingBytes();
  const spent = await drained();
  const share = Math.min(100, (waiting / bytes / ours.total) * 100);
  print(`  ${name}: bare ${line(limit)} · ours ${line(ours)} · ratio ${ratio({ bare: limit, ours }).toFixed(2)}`);
  print(
    `    ${mebibytes(waiting)} MiB, about ${share.toFixed(0)} % of the clicks, waited and took ${spent.toFixed(0)} s to reach the store`,
  );
  return { bare: limit, ours };
}

/** Redirects at a steady rate without a backlog, and while the drain moves what a phase of load has left. */
async function measureSteady(requests: Request[]): Promise<Steady> {
  const paths = requests.map(({ path }) => path as string);
  const order = { port: PORT, host: `localhost:${PORT}`, paths, perSecond: STEADY_A_SECOND, seconds };
  const idle = await redirectsMeanwhile(order);
  await loadRedirects(PORT, requests, { seconds });
  const before = await waitingBytes();
  const draining = await redirectsMeanwhile(order);
  const after = await waitingBytes();
  await drained();
  if (idle.failed + draining.failed > 0) throw new Error(`${idle.failed + draining.failed} were no redirects`);
  print(
    `  ${STEADY_A_SECOND}/s: p99 ${short(idle.p99)} ms without a backlog, ${short(draining.p99)} ms while it shrank from ${mebibytes(before)} to ${mebibytes(after)} MiB`,
  );
  return { idle: idle.p99, draining: draining.p99 };
}

function printTable(cases: Record<string, Pair[]>, steady: Steady[]): void {
  const row = (cells: string[]) => cells.map((cell, at) => (at === 0 ? cell.padEnd(10) : cell.padStart(12))).join('');
  print(`\nmedian of ${rounds} rounds`);
  print(row(['', 'bare /s', 'ours /s', 'ratio', 'p50 ms', 'p99 ms', 'worst p99', 'bare p99']));
  for (const [name, pairs] of Object.entries(cases)) {
    const of = (read: (pair: Pair) => number) => percentile(pairs.map(read), 0.5);
    const figures = [of(({ bare }) => bare.perSecond), of(({ ours }) => ours.perSecond)];
    const tails = [
      of(({ ours }) => ours.p50),
      of(({ ours }) => ours.p99),
      Math.max(...pairs.map(({ ours }) => ours.p99)),
    ];
    const limit = of(({ bare }) => bare.p99);
    print(row([name, ...figures.map(String), of(ratio).toFixed(2), ...tails.map(short), short(limit)]));
  }
  const idle = percentile(
    steady.map((one) => one.idle),
    0.5,
  );
  const draining = percentile(
    steady.map((one) => one.draining),
    0.5,
  );
  print(
    `p99 at ${STEADY_A_SECOND}/s: ${short(idle)} ms without a backlog, ${short(draining)} ms with one: the drain costs ${(draining - idle).toFixed(1)} ms`,
  );
}

async function watchMemory({ child }: Product): Promise<void> {
  const requests = requestsOf(0);
  for (let done = 0; done < soak; ) {
    done += (await loadRedirects(PORT, requests, { seconds: 10 })).total;
    const [resident, waiting] = [await residentMiB(child), mebibytes(await waitingBytes())];
    print(`after ${done} more redirects: resident ${resident} MiB, ${waiting} MiB wait`);
  }
}

/** What a click takes in the journal: the most of some tries, because the drain may run within one. */
async function bytesOfClick(): Promise<number> {
  const requests = requestsOf(0).slice(0, CALIBRATION);
  let most = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await drained();
    await loadRedirects(PORT, requests, { amount: CALIBRATION });
    most = Math.max(most, (await waitingBytes()) / CALIBRATION);
  }
  return most;
}

async function residentMiB({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'VmRSS: 0');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function line({ perSecond, p50, p99 }: Load): string {
  return `${perSecond}/s p50 ${p50} p99 ${p99} ms`;
}

function ratio({ bare, ours }: Pair): number {
  return ours.perSecond / bare.perSecond;
}

/** Clicks that redirects left for the drain: it gives way to them while they come. */
async function waitingBytes(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${PORT}/metrics`, {
    headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return Number(/^svc_click_journal_bytes (\d+)/m.exec(await response.text())?.[1]);
}

function mebibytes(bytes: number): string {
  return (bytes / 1024 / 1024).toFixed(1);
}

/** Waits until nothing is left for the drain, or the next phase would be measured beside it; gives the seconds. */
async function drained(): Promise<number> {
  const startedAt = performance.now();
  while ((await waitingBytes()) > 0) await delay(200);
  return (performance.now() - startedAt) / 1000;
}
