import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeClick } from '../src/clicks/click.ts';
import { query } from '../src/db/query.ts';
import { clock } from '../src/kernel/clock.ts';
import { makeLinks, readLinks } from './support/benchLinks.ts';
import { clickStream } from './support/clickStream.ts';
import type { Drained } from './support/ingest/drainProcess.ts';
import { watchWaits } from './support/ingest/postgresLoad.ts';
import { withOpenStore } from './support/loadedStore.ts';
import { postgresCpuSeconds } from './support/processorTime.ts';
import { type BenchStore, makeStore, option, print, startOn } from './support/product.ts';

/**
 * How fast clicks get from journals into the store, by one process and by several at once: each has a journal of its own with
 * clicks of the last hour on the same links. On SQLite there is one process. Prints clicks a second, CPU-seconds for 1,000
 * clicks of the processes and of PostgreSQL, and how often sessions were seen waiting for locks.
 *
 *   npm run bench -- ingest [store=postgres] [clicks=100000] [processes=1,2,3] [links=300] [port=4390]
 */
const store = option('store', 'postgres');
const clicks = Number(option('clicks', '100000'));
const links = Number(option('links', '300'));
const counts = store === 'sqlite' ? [1] : option('processes', '1,2,3').split(',').map(Number);
const DATABASE = 'svc_bench_ingest';
const HOUR_MS = 3_600_000;

const MOST_A_FILE = 40_000;

/** Writes journals as redirects would have, with `clicks` lines in all, and returns their folders. */
async function writeJournals(there: BenchStore, processes: number): Promise<string[]> {
  const lines = await withOpenStore(there, async () => {
    const found = await readLinks();
    const endMs = Date.now();
    const stream = clickStream({ ...found, clicks, startMs: endMs - HOUR_MS, endMs });
    const all: string[] = [];
    for (const batch of stream(endMs - HOUR_MS, endMs)) for (const click of batch) all.push(encodeClick(click));
    clock.reset();
    return all;
  });
  return Promise.all(
    Array.from({ length: processes }, async (_, at) => {
      const folder = store === 'sqlite' ? there.folder : await mkdtemp(path.join(tmpdir(), 'svc-ingest-'));
      const journal = path.join(folder, 'clicks');
      await mkdir(journal, { recursive: true });
      const own = lines.filter((_line, index) => index % processes === at);
      for (let from = 0, number = 1; from < own.length; from += MOST_A_FILE, number += 1) {
        const text = `${own.slice(from, from + MOST_A_FILE).join('\n')}\n`;
        await writeFile(path.join(journal, `${String(number).padStart(10, '0')}.log`), text);
      }
      return folder;
    }),
  );
}

async function measure(processes: number): Promise<void> {
  const there = await makeStore(store, DATABASE);
  try {
    const product = await startOn(there, { port: Number(option('port', '4390')) });
    await makeLinks(product, links);
    await product.stop();
    const folders = await writeJournals(there, processes);
    const children = folders.map((folder) =>
      fork(new URL('./support/ingest/drainProcess.ts', import.meta.url), [store, DATABASE, folder], {
        execArgv: ['--import=tsx'],
      }),
    );
    await Promise.all(children.map(messageOf));
    const before = store === 'postgres' ? postgresCpuSeconds() : 0;
    const waits = store === 'postgres' ? await watchWaits(there.env.DATABASE_URL as string) : null;
    const startedAt = performance.now();
    const results = children.map((child) => messageOf(child) as Promise<Drained>);
    for (const child of children) child.send('go');
    const drained = await Promise.all(results);
    const seconds = (performance.now() - startedAt) / 1000;
    const seen = (await waits?.stop()) ?? {};
    const ofStore = store === 'postgres' ? postgresCpuSeconds() - before : 0;
    await Promise.all(children.map(ended));
    const own = drained.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);
    const locks = Object.entries(seen).filter(([what]) => what.startsWith('Lock:'));
    const perThousand = (cpu: number) => ((cpu / clicks) * 1000).toFixed(3);
    print(
      `${processes} ${processes === 1 ? 'process' : 'processes'}: ${Math.round(clicks / seconds)} clicks/s · CPU-s for 1,000: ` +
        `${perThousand(own)} own, ${perThousand(ofStore)} PostgreSQL · waiting ${JSON.stringify(Object.fromEntries(locks))} ` +
        `of ${Object.values(seen).reduce((sum, one) => sum + one, 0)} samples`,
    );
    await withOpenStore(there, async () => {
      const [row] = await query<{ stored: number; counted: number }>(
        `SELECT (SELECT COUNT(*) FROM clicks) AS stored,
           (SELECT SUM(clicks) FROM links) + COALESCE((SELECT SUM(clicks) FROM link_click_sums), 0) AS counted`,
      );
      print(`  stored ${row?.stored}, of people on links ${row?.counted}`);
    });
  } finally {
    await there.remove();
  }
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`A process ended with ${code}`)));
  });
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()));
}

print(`${store}, ${clicks} clicks on ${links} links`);
for (const processes of counts) await measure(processes);
