import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import autocannon from 'autocannon';
import { option, type Product, print, startProduct } from './support/product.ts';

/**
 * The REST API beside a bare Koa server that answers the same bytes, on both stores (PostgreSQL where one answers at
 * BENCH_POSTGRES_URL or on this machine). Everything is one process and the load comes from another one.
 *
 *   npm run bench -- rest [seconds=5] [links=1000000] [rows=100000] [store=sqlite|postgres]
 */
const seconds = Number(option('seconds', '5'));
const links = Number(option('links', '1000000'));
const rows = Number(option('rows', '100000'));
const only = option('store', '');

const PORT = 3887;
const BARE_PORT = 3888;
const CONNECTIONS = 32;
for (const store of ['sqlite', 'postgres'].filter((name) => !only || name === only)) {
  const product = await startProduct(store, { port: PORT, database: 'svc_bench_rest' });
  print(`\n── ${store} ──`);
  try {
    await measureRequests(product);
    await measureBulk(product);
    await measureImport(product);
    await measurePages(product);
  } finally {
    await product.stop();
  }
}

async function measureRequests({ key, call }: Product): Promise<void> {
  const link = await call('POST', '/links', { destination: 'https://www.example.com/', tags: ['bench'] });
  await call('POST', '/links/bulk', {
    links: Array.from({ length: 200 }, (_, at) => ({ destination: `https://www.example.com/${at}`, tags: ['bench'] })),
  });
  await compare('GET link', key, `/links/${link.id}`);
  await compare('list of 50', key, '/links');
  const body = JSON.stringify({ destination: 'https://www.example.com/', tags: ['bench'] });
  const plain = await load(PORT, '/api/v1/links', key, { method: 'POST', body });
  print(`POST link: ${line(plain)}`);
  const kept = await load(PORT, '/api/v1/links', key, { method: 'POST', body, idempotent: true });
  print(`POST link with Idempotency-Key: ${line(kept)}`);
}

async function compare(name: string, key: string, below: string): Promise<void> {
  const url = `/api/v1${below}`;
  const answer = await (await fetch(`http://127.0.0.1:${PORT}${url}`, { headers: authorization(key) })).text();
  const bare = spawn(process.execPath, ['-e', bareKoa(answer)], { stdio: 'inherit' });
  try {
    await ready(BARE_PORT);
    await load(PORT, url, key, {}, 1);
    const limit = await load(BARE_PORT, url, key);
    const ours = await load(PORT, url, key);
    const ratio = (ours.perSecond / limit.perSecond).toFixed(2);
    print(`${name}: ${line(ours)} · bare Koa ${line(limit)} · ratio ${ratio} (${answer.length} bytes)`);
  } finally {
    bare.kill('SIGKILL');
  }
}

async function measureBulk({ call }: Product): Promise<void> {
  const started = performance.now();
  const calls = 10;
  for (let at = 0; at < calls; at += 1) {
    const batch = Array.from({ length: 1000 }, (_, row) => ({
      destination: `https://www.example.com/${at}/${row}`,
      tags: ['bulk'],
    }));
    await call('POST', '/links/bulk', { links: batch });
  }
  const spent = (performance.now() - started) / 1000;
  print(
    `bulk of 1,000: ${Math.round((calls * 1000) / spent)} links/s, ${Math.round((spent * 1000) / calls)} ms a call`,
  );
}

async function measureImport({ key, child, call }: Product): Promise<void> {
  const header = 'destination,slug,title,tags\n';
  const csv =
    header +
    Array.from({ length: rows }, (_, at) => `https://www.example.com/i/${at},import-${at},Row ${at},a|b\n`).join('');
  const idle = await residentMiB(child);
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${PORT}/api/v1/imports`, {
    method: 'POST',
    headers: { ...authorization(key), 'Content-Type': 'text/csv' },
    body: csv,
  });
  let made = (await response.json()) as { id: string; status: string; counts: object };
  let peak = idle;
  while (!['finished', 'failed', 'cancelled'].includes(made.status)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    peak = Math.max(peak, await residentMiB(child));
    made = await call('GET', `/imports/${made.id}`);
  }
  const spent = (performance.now() - started) / 1000;
  print(
    `import of ${rows} rows: ${made.status}, ${Math.round(rows / spent)} rows/s, peak ${peak - idle} MiB above ${idle} MiB · ${JSON.stringify(made.counts)}`,
  );
}

/** The first page of 50 and about the thousandth, or the last where there are fewer. */
async function measurePages({ key, call }: Product): Promise<void> {
  const { count } = await call('GET', '/links/count');
  for (let left = links - count; left > 0; left -= 1000) {
    const batch = Array.from({ length: Math.min(1000, left) }, (_, row) => ({
      destination: `https://www.example.com/m/${left}/${row}`,
    }));
    await call('POST', '/links/bulk', { links: batch });
  }
  for (const sort of ['created_at', 'clicks', 'last_clicked_at']) {
    let cursor = '';
    let passed = 0;
    for (; passed < 998; passed += 2) {
      const { next_cursor } = await call('GET', `/links?limit=100&sort=${sort}${cursor && `&cursor=${cursor}`}`);
      if (next_cursor === null) break;
      cursor = next_cursor;
    }
    const first = await load(PORT, `/api/v1/links?limit=50&sort=${sort}`, key);
    const deep = await load(PORT, `/api/v1/links?limit=50&sort=${sort}${cursor && `&cursor=${cursor}`}`, key);
    print(
      `pages by ${sort} at ${links} links: first ${line(first)} · page ${passed + 1} ${line(deep)} · ratio ${(deep.perSecond / first.perSecond).toFixed(2)}`,
    );
  }
}

interface Load {
  perSecond: number;
  p99: number;
}

async function load(
  port: number,
  url: string,
  key: string,
  { method = 'GET', body, idempotent = false }: { method?: 'GET' | 'POST'; body?: string; idempotent?: boolean } = {},
  duration = seconds,
): Promise<Load> {
  const headers = { ...authorization(key), ...(body ? { 'Content-Type': 'application/json' } : {}) };
  const result = await autocannon({
    url: `http://127.0.0.1:${port}${url}`,
    connections: CONNECTIONS,
    duration,
    method,
    headers: idempotent ? { ...headers, 'Idempotency-Key': '[<id>]' } : headers,
    idReplacement: idempotent,
    ...(body ? { body } : {}),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} errors`);
  return { perSecond: Math.round(result.requests.average), p99: result.latency.p99 };
}

function bareKoa(answer: string): string {
  return `const Koa = require('koa'); const app = new Koa(); const body = ${JSON.stringify(answer)};
    app.use((ctx) => { ctx.type = 'application/json'; ctx.body = body; }); app.listen(${BARE_PORT}, '127.0.0.1')`;
}

async function ready(port: number): Promise<void> {
  for (;;) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function authorization(key: string): Record<string, string> {
  return { Authorization: `Bearer ${key}` };
}

async function residentMiB({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'VmRSS: 0');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function line({ perSecond, p99 }: Load): string {
  return `${perSecond}/s p99 ${p99} ms`;
}
