import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Request } from 'autocannon';
import pg from 'pg';
import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import { query } from '../src/db/query.ts';
import { clock } from '../src/kernel/clock.ts';
import { makeLinks, readLinks } from './support/benchLinks.ts';
import { clickStream } from './support/clickStream.ts';
import { Costed, HELD_OFF, HOST, type Spent } from './support/costs/Costed.ts';
import { loadClicks } from './support/loadClicks.ts';
import { withOpenStore } from './support/loadedStore.ts';
import { loadRedirects } from './support/loadRedirects.ts';
import { postgresCpuSeconds, residentMiB } from './support/processorTime.ts';
import { makeStore, option, print, storeAt } from './support/product.ts';

/**
 * What each kind of work costs, with web, two redirect and two worker processes on one PostgreSQL: the figures of
 * bench/unitCosts.json. CPU-seconds for a thousand by role and of PostgreSQL, less what is spent idle; idle costs, memory and
 * connections; bytes of rows with their indexes.
 *
 *   npm run bench -- costs [redirects=60000] [links=2000] [clicks=200000] [deliveries=5000] [idle=20] [port=4370]
 */
const redirects = Number(option('redirects', '60000'));
const links = Number(option('links', '2000'));
const clicks = Number(option('clicks', '200000'));
const deliveries = Number(option('deliveries', '5000'));
const idleSeconds = Number(option('idle', '20'));
const port = Number(option('port', '4370'));

const DATABASE = 'svc_bench_costs';
const HOUR_MS = 3_600_000;
const NONE: Spent = { web: 0, redirect: 0, worker: 0, postgres: 0 };
const PERSON = {
  'User-Agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Version/18.1 Mobile/15E148 Safari/604.1',
  'Accept-Language': 'de-DE,de;q=0.9,en;q=0.8',
};

const there = await makeStore('postgres', DATABASE);
const costed = await Costed.start(there.folder, port, there.env);
try {
  const idle = await measureIdle();
  await measureLinks(idle);
  await measureRedirects(idle);
  await measureDeliveries(idle);
  await Promise.all(costed.processes.map((process) => process.stop()));
  await measureClicks();
  await measureSizes();
} finally {
  await costed.belongings.clear();
  await there.remove();
}

async function measureIdle(): Promise<Spent> {
  await delay(10_000);
  const client = new pg.Client({ connectionString: there.env.DATABASE_URL });
  await client.connect();
  const transactions = async () => {
    const { rows } = await client.query<{ done: string; open: string }>(
      `SELECT xact_commit AS done, numbackends AS open FROM pg_stat_database WHERE datname = current_database()`,
    );
    return { done: Number(rows[0]?.done), open: Number(rows[0]?.open) - 1 };
  };
  const before = await transactions();
  const spent = await costed.during(() => delay(idleSeconds * 1000), NONE);
  const after = await transactions();
  await client.end();
  const committed = after.done - before.done;
  print('| idle | CPU ms a second, each | resident MiB |\n|---|--:|--:|');
  for (const role of ['web', 'redirect', 'worker'] as const) {
    const all = costed.of(role);
    const each = ((spent[role] / idleSeconds) * 1000) / all.length;
    print(`| ${role} | ${each.toFixed(1)} | ${all.map(({ pid }) => residentMiB(pid)).join(', ')} |`);
  }
  print(
    `| PostgreSQL | ${((spent.postgres / idleSeconds) * 1000).toFixed(1)} | ${Math.round(committed / idleSeconds)} transactions a second, ${after.open} connections |\n`,
  );
  print('| CPU-seconds for 1,000 | web | redirect | worker | PostgreSQL |\n|---|--:|--:|--:|--:|');
  return Object.fromEntries(
    Object.entries(spent).map(([part, seconds]) => [part, seconds / idleSeconds]),
  ) as unknown as Spent;
}

async function measureLinks(idle: Spent): Promise<void> {
  const { call } = costed;
  await row('link in bulk', links, idle, () => makeLinks(costed, links));
  let made = 0;
  const makeOne = () => call('POST', '/links', { slug: `one-${made++}`, destination: 'https://www.example.com/' });
  await row('link one by one', 500, idle, () => times(500, 1, makeOne));
  await row('link, 16 at once', 3200, idle, () => times(3200, 16, makeOne));
  const { id } = await makeOne();
  await row('GET link', 1000, idle, () => times(1000, 1, () => call('GET', `/links/${id}`)));
  await row('list of 50 links', 500, idle, () => times(500, 1, () => call('GET', '/links?limit=50')));
}

async function measureRedirects(idle: Spent): Promise<void> {
  const requests = (count: number): Request[] =>
    Array.from({ length: Math.min(count, links) }, (_, at) => ({
      path: `/bench-${String(at % links).padStart(6, '0')}`,
      headers: { ...PERSON, Host: HOST },
    }));
  const follow = (name: string, amount: number) => loadRedirects(costed.named(name).port, requests(amount), { amount });
  await follow('redirect-2', Math.max(links, 2000));
  await drained('redirect-2');
  await follow(HELD_OFF, Math.max(links, 2000));
  const bytes = await journalBytes(HELD_OFF);
  await row('redirect, drain held off', redirects, idle, () => follow(HELD_OFF, redirects));
  const each = Math.round(((await journalBytes(HELD_OFF)) - bytes) / redirects);
  await row('redirect with its drain', redirects, idle, async () => {
    await follow('redirect-2', redirects);
    await drained('redirect-2');
  });
  print(`| bytes of a click in the journal | | ${each} | | |`);
}

async function measureDeliveries(idle: Spent): Promise<void> {
  let received = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      received += 1;
      response.end('ok');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await costed.call('POST', '/webhooks', {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    event_types: ['link.updated'],
    max_in_flight: 100,
  });
  const { data } = await costed.call('GET', '/links?limit=100');
  const ids = data.map(({ id }: { id: string }) => id);
  await row('delivery', deliveries, idle, async () => {
    for (let raised = 0; raised < deliveries; raised += ids.length)
      await costed.call('PATCH', '/links/bulk', { ids, set: { data: { round: raised } } });
    while (received < deliveries) await delay(50);
    await delay(1000);
  });
  server.close();
}

/** Clicks of the last six hours, by the drain and the builder in this process, with nothing else running. */
async function measureClicks(): Promise<void> {
  await withOpenStore(storeAt('postgres', DATABASE, there.folder), async () => {
    const found = await readLinks();
    const toMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const fromMs = toMs - 6 * HOUR_MS;
    const stream = clickStream({ ...found, clicks, startMs: fromMs, endMs: toMs });
    const [own, postgres] = [process.cpuUsage(), postgresCpuSeconds()];
    const loaded = await loadClicks(stream, { fromMs, toMs, folder: there.folder, copy: async () => {} });
    clock.reset();
    // Making the clicks is this process's own work.
    const used = seconds(process.cpuUsage(own)) - loaded.generateMs / 1000;
    const store = postgresCpuSeconds() - postgres;
    print(
      `| drain of a click | | ${perThousand(used, clicks)} | | ${perThousand(store, clicks)} | ${rate(clicks, loaded.drainMs)}`,
    );
    const [before, storeBefore, builtAt] = [process.cpuUsage(), postgresCpuSeconds(), performance.now()];
    await buildBlocks();
    print(
      `| rollup of a click | | | ${perThousand(seconds(process.cpuUsage(before)), clicks)} | ` +
        `${perThousand(postgresCpuSeconds() - storeBefore, clicks)} | ${rate(clicks, performance.now() - builtAt)}`,
    );
  });
}

async function measureSizes(): Promise<void> {
  print('\n| bytes of a row, after VACUUM FULL | rows | indexes | of how many |\n|---|--:|--:|--:|');
  await withOpenStore(storeAt('postgres', DATABASE, there.folder), async () => {
    for (const table of ['clicks', 'match_clicks', 'events', 'deliveries', 'attempts', 'links']) {
      await query(`VACUUM FULL ${table}`);
      const [size] = await query<Record<'rows' | 'own' | 'indexes', string>>(
        `SELECT (SELECT COUNT(*) FROM ${table}) AS rows, SUM(pg_table_size(relid)) AS own, SUM(pg_indexes_size(relid)) AS indexes
         FROM (SELECT relid FROM pg_partition_tree('${table}') WHERE isleaf UNION ALL SELECT CAST('${table}' AS regclass)
           WHERE NOT EXISTS (SELECT 1 FROM pg_partition_tree('${table}'))) AS parts`,
      );
      const each = (bytes?: string) => Math.round(Number(bytes) / Number(size?.rows));
      print(`| ${table} | ${each(size?.own)} | ${each(size?.indexes)} | ${size?.rows} |`);
    }
  });
}

async function row(name: string, count: number, idle: Spent, work: () => Promise<unknown>): Promise<void> {
  const startedAt = performance.now();
  const spent = await costed.during(work, idle);
  const cells = (['web', 'redirect', 'worker', 'postgres'] as const).map((part) => perThousand(spent[part], count));
  print(`| ${name} | ${cells.join(' | ')} | ${rate(count, performance.now() - startedAt)}`);
}

function perThousand(spent: number, count: number): string {
  return ((spent / count) * 1000).toPrecision(2);
}

function rate(count: number, ms: number): string {
  return `${Math.round((count / ms) * 1000)}/s`;
}

function seconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

/** `work` so many times, `atOnce` at a time. */
async function times(count: number, atOnce: number, work: () => Promise<unknown>): Promise<void> {
  let left = count;
  const run = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: atOnce }, run));
}

/** Waits until the journal of a process is empty. */
async function drained(name: string): Promise<void> {
  while ((await journalBytes(name)) > 0) await delay(50);
}

/** Bytes of the journal of a process. */
async function journalBytes(name: string): Promise<number> {
  const folder = path.join(costed.named(name).dataDir, 'clicks');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.log'));
  const sizes = await Promise.all(files.map((file) => stat(path.join(folder, file)).then(sizeOf, () => 0)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function sizeOf({ size }: { size: number }): number {
  return size;
}
