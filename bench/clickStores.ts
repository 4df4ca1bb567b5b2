import { spawnSync } from 'node:child_process';
import { isDeepStrictEqual } from 'node:util';
import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import { startClickHouse } from '../test/support/clickHouse.ts';
import { crossedQuestions, nameOf, plainQuestions, type Question, urlOf } from './support/analyticsQuestions.ts';
import { type BenchLink, makeLinks, readLinks } from './support/benchLinks.ts';
import { clickStream } from './support/clickStream.ts';
import { loadClicks } from './support/loadClicks.ts';
import { sizeOfStore, withOpenStore } from './support/loadedStore.ts';
import { type BenchStore, makeStore, option, print, startOn } from './support/product.ts';
import { short, type Timings, timeRounds } from './support/timings.ts';

/**
 * The same month of clicks in the built-in store and in ClickHouse: how fast they get there, the bytes that a click takes on disk,
 * and what is asked of `GET /analytics`, side by side. Clicks get into the built-in store by the drain, and from there to ClickHouse by
 * `npm run admin -- move-clicks`. Says how many answers are the same. ClickHouse is that of CLICKHOUSE_URL, or the newest
 * engine that test/support/clickHouse.ts finds.
 *
 *   npm run bench -- clickStores [store=sqlite|postgres] [clicks=10000000] [links=10000] [days=30] [rounds=10]
 */
const builtIn = option('store', 'sqlite');
const clicks = Number(option('clicks', '10000000'));
const links = Number(option('links', '10000'));
const days = Number(option('days', '30'));
const rounds = Number(option('rounds', '10'));

const PORT = 3909;
const ENV = { LINK_DOMAIN: 'go.example.com' };
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;

interface Asked extends Timings {
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  answer: any;
}

const endMs = Math.floor(Date.now() / 60_000) * 60_000;
const startMs = endMs - days * DAY_MS;
const store = await makeStore(builtIn, 'svc_bench_click_stores');
const clickHouse = await startClickHouse();
try {
  const { key, popular } = await load(store);
  const questions = [...plainQuestions(), ...crossedQuestions(popular)];
  const ours = await askAll(key, questions, {});
  moveClicks(store);
  await printSizeOfClickHouse();
  const theirs = await askAll(key, questions, { CLICKS_URL: clickHouse.url });
  printTable(questions, ours, theirs);
} finally {
  await clickHouse.stop();
  await store.remove();
}

async function load(there: BenchStore): Promise<{ key: string; popular: BenchLink[] }> {
  const product = await startOn(there, { port: PORT, env: ENV });
  await makeLinks(product, links);
  await product.stop();
  return withOpenStore(there, async () => {
    const known = await readLinks();
    const loaded = await loadClicks(clickStream({ ...known, clicks, startMs, endMs }), {
      ...{ fromMs: startMs, toMs: endMs, folder: there.folder, build: buildBlocks },
      copy: async () => {},
      report: (_, all) => print(`${all.clicks} clicks`),
    });
    const rate = (ms: number) => `${Math.round((loaded.clicks / ms) * 1000)}/s`;
    const { whole, blocks, totals } = await sizeOfStore(there.folder);
    print(
      `${builtIn}: drain ${rate(loaded.drainMs)}, blocks ${rate(loaded.buildMs)}; ${perClick(whole)} bytes a click with everything, ` +
        `of that ${perClick(blocks + totals)} of blocks and totals`,
    );
    return { key: product.key, popular: known.links };
  });
}

function perClick(mebibytes: number): string {
  return short((mebibytes * MIB) / clicks);
}

function moveClicks({ env }: BenchStore): void {
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(process.execPath, ['dist/scripts/admin.js', 'move-clicks'], {
    env: { ...process.env, ...env, CLICKS_URL: clickHouse.url },
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`move-clicks ended with ${status}`);
  print(`${stdout.trim()} ${Math.round((clicks / (performance.now() - startedAt)) * 1000)}/s`);
}

async function printSizeOfClickHouse(): Promise<void> {
  const [version] = await askClickHouse('SELECT version() FORMAT TabSeparated');
  const sizes = await askClickHouse(
    'SELECT table, sum(bytes_on_disk), sum(rows) FROM system.parts WHERE active AND database = currentDatabase() GROUP BY table ORDER BY table FORMAT TabSeparated',
  );
  for (const size of sizes) {
    const [table, bytes = '', rows] = size.split('\t');
    print(`ClickHouse ${version}, ${table}: ${rows} rows, ${short(Number(bytes) / Number(rows))} bytes each`);
  }
}

async function askClickHouse(sql: string): Promise<string[]> {
  const url = new URL(clickHouse.url.replace(/^clickhouse/, 'http'));
  const response = await fetch(new URL(`/?database=${url.pathname.slice(1)}`, url), { method: 'POST', body: sql });
  return (await response.text()).trim().split('\n');
}

async function askAll(key: string, questions: Question[], env: Record<string, string>): Promise<Asked[]> {
  const product = await startOn(store, { port: PORT, env: { ...ENV, ...env }, key });
  try {
    const asked: Asked[] = [];
    for (const question of questions) asked.push(await timeRounds(rounds, () => product.call('GET', pathOf(question))));
    return asked;
  } finally {
    await product.stop();
  }
}

/** About the same span each time, whenever it is asked. */
function pathOf(question: Question): string {
  const span = `start=${new Date(startMs).toISOString()}&end=${new Date(endMs).toISOString()}`;
  return urlOf(question, '30d').replace('interval=30d', span);
}

/** Milliseconds: the first time, p50 and p95; and how many times as fast as ClickHouse's the p50 of the built-in store is. */
function printTable(questions: Question[], ours: Asked[], theirs: Asked[]): void {
  print(
    `\n| ${days} days of ${clicks} clicks, ms: first, p50, p95 | ${builtIn} | ClickHouse | ratio | same |\n|---|---|---|---|---|`,
  );
  questions.forEach((question, at) => {
    const [one, other] = [ours[at] as Asked, theirs[at] as Asked];
    const line = ({ cold, p50, p95 }: Timings) => `${short(cold)}, ${short(p50)}, ${short(p95)}`;
    const isSame = isDeepStrictEqual(one.answer, other.answer) ? 'yes' : 'no';
    print(`| ${nameOf(question)} | ${line(one)} | ${line(other)} | ${short(other.p50 / one.p50)} | ${isSame} |`);
  });
}
