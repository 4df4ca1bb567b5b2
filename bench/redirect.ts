import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import autocannon from 'autocannon';

/**
 * How many redirects a second one process answers, with its journal on, beside a bare Node http server that answers
 * 302 – the limit of this machine. Both are asked in turns, so that whatever else the machine does hits both.
 *
 *   npm run bench -- redirect [rounds=5] [seconds=5] [soak=0]     soak: redirects to follow at the end for memory
 */
const [rounds, seconds, soak] = ['rounds=5', 'seconds=5', 'soak=0'].map((fallback) => {
  const [name, value] = fallback.split('=') as [string, string];
  const given = process.argv.find((argument) => argument.startsWith(`${name}=`));
  return Number(given?.split('=')[1] ?? value);
}) as [number, number, number];

const CONNECTIONS = 64;
const PORT = 3877;
const BARE_PORT = 3878;
const AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';

const BARE = `require('node:http').createServer((q, s) => {
  s.writeHead(302, { Location: 'https://example.com/landing?from=bench', 'Cache-Control': 'private, no-store', 'Content-Length': '0' });
  s.end();
}).listen(${BARE_PORT}, '127.0.0.1')`;

const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-'));
const children: ChildProcess[] = [];
try {
  children.push(spawn(process.execPath, ['-e', BARE], { stdio: 'inherit' }));
  const product = await startProduct();
  await measure(product);
} finally {
  for (const child of children) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}

async function startProduct(): Promise<ChildProcess> {
  const product = spawn(process.execPath, [new URL('../dist/src/main.js', import.meta.url).pathname], {
    env: { ...process.env, DATA_DIR: folder, PORT: String(PORT), HOST: '127.0.0.1', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(product);
  const printed = await new Promise<string>((resolve) => {
    let text = '';
    product.stdout?.on('data', (chunk: Buffer) => {
      text += chunk;
      if (text.includes('"msg":"ready"')) resolve(text);
    });
  });
  const key = /sk_live_[\w-]+/.exec(printed)?.[0];
  await fetch(`http://127.0.0.1:${PORT}/api/v1/links`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ destination: 'https://example.com/landing?from=bench', slug: 'bench' }),
  });
  return product;
}

async function measure(product: ChildProcess): Promise<void> {
  await load(BARE_PORT, 2);
  await load(PORT, 3);
  await drained();
  print(`warm, idle: resident ${await residentMiB(product)} MiB`);
  const ratios: number[] = [];
  const tails: number[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const bare = await load(BARE_PORT, seconds);
    const ours = await load(PORT, seconds);
    ratios.push(ours.perSecond / bare.perSecond);
    tails.push(ours.p99);
    const waiting = await waitingMiB();
    const drainSeconds = await drained();
    print(`round ${round}: bare ${line(bare)} · ours ${line(ours)} · ratio ${ratio(ours, bare)}`);
    print(
      `         ${waiting.toFixed(1)} MiB of clicks waited and took ${drainSeconds.toFixed(0)} s to reach the store`,
    );
  }
  print(`ratio: median ${median(ratios).toFixed(2)} · p99: median ${median(tails)} ms, worst ${Math.max(...tails)} ms`);
  if (soak > 0) await watchMemory(product, soak);
}

async function watchMemory(product: ChildProcess, redirects: number): Promise<void> {
  for (let done = 0; done < redirects; ) {
    const { total } = await load(PORT, 10);
    done += total;
    print(
      `after ${done} more redirects: resident ${await residentMiB(product)} MiB, ${(await waitingMiB()).toFixed(0)} MiB wait`,
    );
  }
}

async function load(port: number, duration: number): Promise<{ perSecond: number; p99: number; total: number }> {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/bench`,
    connections: CONNECTIONS,
    duration,
    headers: { 'User-Agent': AGENT, 'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8', Referer: 'https://t.co/abc' },
  });
  if (result['3xx'] !== result.requests.total || result.errors > 0)
    throw new Error(`Not only redirects: ${JSON.stringify(result)}`);
  return { perSecond: Math.round(result.requests.average), p99: result.latency.p99, total: result.requests.total };
}

async function residentMiB({ pid }: ChildProcess): Promise<number> {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'VmRSS: 0');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function line({ perSecond, p99 }: { perSecond: number; p99: number }): string {
  return `${perSecond}/s p99 ${p99} ms`;
}

function ratio(ours: { perSecond: number }, bare: { perSecond: number }): string {
  return (ours.perSecond / bare.perSecond).toFixed(2);
}

/** Clicks that redirects left for the drain: it gives way to them while they come. */
async function waitingMiB(): Promise<number> {
  const response = await fetch(`http://127.0.0.1:${PORT}/metrics`);
  return Number(/^svc_click_journal_bytes (\d+)/m.exec(await response.text())?.[1]) / 1024 / 1024;
}

/** Waits until nothing is left for the drain, or the next round would be measured beside it; gives the seconds. */
async function drained(): Promise<number> {
  const startedAt = performance.now();
  while ((await waitingMiB()) > 0) await delay(500);
  return (performance.now() - startedAt) / 1000;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
