import { mkdir, rm } from 'node:fs/promises';
import { buildBlocks } from '../src/analytics/columns/buildBlocks.ts';
import {
  crossedQuestions,
  INTERVALS,
  nameOf,
  plainQuestions,
  type Question,
  urlOf,
} from './support/analyticsQuestions.ts';
import { type BenchLink, makeLinks, readLinks } from './support/benchLinks.ts';
import { clickStream } from './support/clickStream.ts';
import { type DuckClicks, openDuckClicks } from './support/duckClicks.ts';
import { type Loaded, loadClicks } from './support/loadClicks.ts';
import { type Kept, readKept, sizeOfStore, withOpenStore, writeKept } from './support/loadedStore.ts';
import { type Measured, measureQuestion } from './support/measureQuestion.ts';
import { type BenchStore, makeStore, option, type Product, print, startOn, storeAt } from './support/product.ts';
import { redirectsMeanwhile } from './support/redirectsMeanwhile.ts';
import { percentile, short } from './support/timings.ts';

/**
 * Clicks brought into the store by the drain and put into blocks, then what is asked of `GET /analytics` beside DuckDB
 * with the same clicks: how long both take, and whether both say the same. At last redirects while questions are
 * answered. `keep`: a folder that holds the loaded clicks for a later run; then no redirects are measured.
 *
 *   npm run bench -- analytics [store=sqlite|postgres] [clicks=10000000] [links=10000] [days=90] [rounds=20]
 *     [seconds=20] [keep=folder] [only=text]     only: questions whose name holds it; seconds: of redirects
 */
const clicks = Number(option('clicks', '10000000'));
const links = Number(option('links', '10000'));
const days = Number(option('days', '90'));
const rounds = Number(option('rounds', '20'));
const seconds = Number(option('seconds', '20'));
const keep = option('keep', '');
const onlyStore = option('store', '');
const onlyQuestions = option('only', '');

const PORT = 3907;
const HOST = 'go.example.com';
const ENV = { LINK_DOMAIN: HOST };
const DATABASE = 'svc_bench_analytics';
const DAY_MS = 86_400_000;
const REDIRECTS_A_SECOND = 300;

let wrong = 0;
for (const store of ['sqlite', 'postgres'].filter((name) => !onlyStore || name === onlyStore)) {
  print(`\n── ${store} ──`);
  await measureStore(store);
}
if (wrong > 0) {
  print(`\n${wrong} ANSWERS DIFFER FROM DUCKDB`);
  process.exit(1);
}

async function measureStore(name: string): Promise<void> {
  const folder = keep ? `${keep}/${name}` : '';
  const before = keep ? await readKept(folder) : null;
  // What an earlier run did not load to the end is of no use.
  if (folder && !before) await rm(folder, { recursive: true, force: true });
  if (folder) await mkdir(folder, { recursive: true });
  const store = before ? storeAt(name, DATABASE, folder) : await makeStore(name, DATABASE, folder || undefined);
  const kept = before ?? (await prepare(store));
  const { duck, popular } = await load(store, kept);
  const product = await startOn(store, { port: PORT, env: ENV, key: kept.key });
  try {
    const measured = await measureAll(product, duck, popular);
    // Clicks that DuckDB does not get: a store that is kept must stay without them.
    if (!onlyQuestions && !keep) await measureRedirects(product, popular);
    printTables(measured);
  } finally {
    duck.close();
    await product.stop();
    if (!keep) await store.remove();
  }
}

/** The first start makes the account; links come over REST. */
async function prepare(store: BenchStore): Promise<Kept> {
  const product = await startOn(store, { port: PORT, env: ENV });
  await makeLinks(product, links);
  await product.stop();
  const endMs = Math.floor(Date.now() / 60_000) * 60_000;
  const startMs = endMs - days * DAY_MS;
  return { key: product.key, clicks, startMs, endMs, loadedMs: startMs };
}

/** Loads what is missing up to this moment; what came while the rest was loaded stays as the drain leaves it. */
async function load(store: BenchStore, kept: Kept): Promise<{ duck: DuckClicks; popular: BenchLink[] }> {
  return withOpenStore(store, async () => {
    const known = await readLinks();
    const duck = await openDuckClicks(store.folder, known.tagNames);
    const stream = clickStream({ ...known, ...kept });
    const options = { copy: duck.add, folder: store.folder };
    if (kept.loadedMs < kept.endMs) {
      const range = { fromMs: kept.loadedMs, toMs: kept.endMs };
      const loaded = await loadClicks(stream, { ...options, ...range, build: buildBlocks, report });
      report(loaded, loaded);
      const { whole, blocks, totals } = await sizeOfStore(store.folder);
      print(
        `store ${whole.toFixed(0)} MiB, ${((whole * 1_048_576) / loaded.clicks).toFixed(0)} bytes a click; in it blocks ` +
          `of ${blocks.toFixed(1)} MiB, totals of ${totals.toFixed(1)} MiB`,
      );
    }
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    const newest = await loadClicks(stream, { ...options, fromMs: Math.max(kept.loadedMs, kept.endMs), toMs: nowMs });
    await duck.copied();
    await writeKept(store.folder, { ...kept, loadedMs: nowMs });
    print(`${newest.clicks} more clicks up to now, in no block yet`);
    return { duck, popular: known.links };
  });
}

function report({ clicks: some, bytes, generateMs, drainMs, buildMs, copyMs }: Loaded, all: Loaded): void {
  const rate = (ms: number) => `${Math.round((some / ms) * 1000)}/s`;
  print(
    `${some === all.clicks ? 'all ' : ''}${some} clicks${some === all.clicks ? '' : ` (${all.clicks} so far)`}: drain ${rate(drainMs)}, ` +
      `blocks ${rate(buildMs)}, both ${rate(drainMs + buildMs)} · journal ${(bytes / some).toFixed(0)} bytes a click ` +
      `· beside it: making them ${rate(generateMs)}, DuckDB ${rate(copyMs)}`,
  );
}

async function measureAll(product: Product, duck: DuckClicks, popular: BenchLink[]): Promise<Measured[]> {
  print(`\nbeside ${duck.about}; milliseconds: first time, p50, p95 of ${rounds}`);
  const measured: Measured[] = [];
  const questions = [...plainQuestions(), ...crossedQuestions(popular)];
  for (const question of questions.filter((one) => nameOf(one).includes(onlyQuestions))) {
    for (const interval of INTERVALS) {
      const found = await measureQuestion(product, duck, { question, interval, rounds });
      if (typeof found === 'string') print(`${nameOf(question)} ${interval}: NOT ANSWERED: ${found.slice(0, 300)}`);
      else {
        measured.push(found);
        printMeasured(found);
      }
    }
  }
  return measured;
}

function printMeasured({ question, interval, ours, duck, clicks: counted, differences }: Measured): void {
  const line = ({ cold, p50, p95 }: Measured['ours']) => `${short(cold)} ${short(p50)} ${short(p95)}`;
  print(`${nameOf(question)} ${interval}: ${line(ours)} · DuckDB ${line(duck)} · ${counted} clicks`);
  if (differences.length === 0) return;
  wrong += 1;
  print(`  !!! ${differences.length} DIFFERENCES`);
  for (const difference of differences.slice(0, 5)) print(`  !!! ${difference}`);
}

/** By turns, so that whatever else the machine does hits both. */
async function measureRedirects(product: Product, popular: BenchLink[]): Promise<void> {
  const paths = popular.slice(0, 1000).map(({ slug }) => `/${slug}`);
  const order = { port: PORT, host: HOST, paths, perSecond: REDIRECTS_A_SECOND, seconds };
  await redirectsMeanwhile({ ...order, seconds: 5 });
  for (const [name, questions] of [
    ['each group alone', plainQuestions()],
    ['filters crossed', crossedQuestions(popular)],
  ] as const) {
    const tails: Record<'idle' | 'busy', number[]> = { idle: [], busy: [] };
    let asked = 0;
    for (let turn = 0; turn < 3; turn += 1) {
      tails.idle.push((await redirectsMeanwhile(order)).p99);
      const busy = await redirectsMeanwhile(order, () => askOne(product, questions, asked++));
      tails.busy.push(busy.p99);
      if (busy.failed > 0) print(`!!! ${busy.failed} REDIRECTS FAILED`);
    }
    const [idle, busy] = [percentile(tails.idle, 0.5), percentile(tails.busy, 0.5)];
    print(
      `\n${REDIRECTS_A_SECOND} redirects a second, p99 (median of 3): idle ${short(idle)} ms, while questions are answered ` +
        `(${name}, ${asked} in ${3 * seconds} s) ${short(busy)} ms`,
    );
  }
}

function askOne(product: Product, questions: readonly Question[], at: number): Promise<unknown> {
  const question = questions[at % questions.length] as Question;
  const interval = INTERVALS[Math.floor(at / questions.length) % INTERVALS.length] as string;
  return product.call('GET', urlOf(question, interval)).catch(() => null);
}

function printTables(measured: Measured[]): void {
  const plain = new Set(plainQuestions().map(nameOf));
  const { true: alone = [], false: crossed = [] } = Object.groupBy(
    measured,
    ({ question }) => `${plain.has(nameOf(question))}`,
  );
  printTable('group_by', alone);
  printTable('filters crossed', crossed);
}

/** In each column: our p50/p95, DuckDB's, and how many times as fast as DuckDB's our p50 is. */
function printTable(title: string, measured: Measured[]): void {
  print(`\n| ${title}, ms: ours p50/p95, DuckDB's, ratio | ${INTERVALS.join(' | ')} |`);
  print(`|---|${INTERVALS.map(() => '---|').join('')}`);
  for (const [name, rows] of Map.groupBy(measured, ({ question }) => nameOf(question))) {
    const cells = INTERVALS.map((interval) => {
      const found = rows.find((row) => row.interval === interval);
      if (!found) return 'not answered';
      const { ours, duck } = found;
      return `${short(ours.p50)}/${short(ours.p95)} · ${short(duck.p50)}/${short(duck.p95)} · ${short(duck.p50 / ours.p50)}×`;
    });
    print(`| ${name} | ${cells.join(' | ')} |`);
  }
}
