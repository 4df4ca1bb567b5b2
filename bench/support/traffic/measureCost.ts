import { monitorEventLoopDelay } from 'node:perf_hooks';
import { buildBlocks } from '../../../src/analytics/columns/buildBlocks.ts';
import { watchTraffic } from '../../../src/anomalies/watchTraffic.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { log } from '../../../src/kernel/log.ts';
import { makeLink, makeProject } from '../../../test/support/clicks.ts';
import { storeHours } from '../../../test/support/steadyTraffic.ts';
import { table } from '../fleet/tables.ts';
import { withOpenStore } from '../loadedStore.ts';
import { makeStore, print } from '../product.ts';

const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
const NOW_MS = Date.UTC(2026, 10, 16, 12);
/** Projects by what they have: clicks in an hour, weeks of them, and how many there are of the kind. */
const KINDS: [name: string, clicksAnHour: number, weeks: number, count: number][] = [
  ['never a click', 0, 0, 200],
  ['one click an hour', 1, 4, 20],
  ['30 clicks an hour', 30, 9, 2],
  ['300 clicks an hour', 300, 4, 1],
  ['3,000 clicks an hour', 3000, 2, 1],
];
const LINKS = 5;
/** Judged hours for each kind: the first reads everything, the median of the others is what an hour costs. */
const ROUNDS = 7;

/** What one look at a project costs, by how much traffic it has. */
export async function measureCost(): Promise<void> {
  const name = process.env.STORE === 'postgres' ? 'postgres' : 'sqlite';
  const rows: (string | number)[][] = [['projects', 'each, first look', 'each, an hour', 'statements', 'longest hold']];
  for (const [kind, clicksAnHour, weeks, count] of KINDS) {
    const store = await makeStore(name, 'svc_bench_anomalies');
    try {
      rows.push([`${count} with ${kind}`, ...(await withOpenStore(store, () => measure(clicksAnHour, weeks, count)))]);
    } finally {
      await store.remove();
      clock.reset();
    }
  }
  print(`\nWhat it costs on ${name}, ms for each project:\n${table(rows)}`);
}

async function measure(clicksAnHour: number, weeks: number, count: number): Promise<(string | number)[]> {
  let nowMs = NOW_MS;
  clock.use({ now: () => nowMs });
  const { signal } = new AbortController();
  const projects: [string, string[]][] = [];
  for (let made = 0; made < count; made += 1) {
    const { id } = await makeProject();
    const links: string[] = [];
    for (let link = 0; link < (weeks > 0 ? LINKS : 0); link += 1) links.push((await makeLink(id)).id);
    projects.push([id, links]);
  }
  await watchTraffic(signal);
  const store = async (fromMs: number, toMs: number) => {
    for (const [id, links] of projects) await storeHours(id, fromMs, toMs, () => visits(links, clicksAnHour));
  };
  await store(NOW_MS - weeks * WEEK_HOURS * HOUR_MS, NOW_MS);
  await buildBlocks();
  const times: number[] = [];
  let [statements, longestMs] = [0, 0];
  for (let round = 0; round < ROUNDS; round += 1) {
    await store(nowMs, nowMs + HOUR_MS);
    nowMs += HOUR_MS + (round === 0 ? 6 * 60_000 : 0);
    await buildBlocks();
    const counting = countStatements();
    const hold = holds();
    const startedAt = performance.now();
    await watchTraffic(signal);
    times.push((performance.now() - startedAt) / count);
    longestMs = Math.max(longestMs, hold());
    statements = counting() / count;
  }
  const [firstLook = 0, ...others] = times;
  others.sort((a, b) => a - b);
  const median = others[others.length >> 1] ?? 0;
  return [firstLook.toFixed(2), median.toFixed(2), statements.toFixed(1), `${longestMs.toFixed(1)} ms`];
}

function visits(links: readonly string[], clicksAnHour: number) {
  const each = Math.max(1, Math.round(clicksAnHour / LINKS));
  const some = clicksAnHour >= LINKS ? links : links.slice(0, clicksAnHour);
  return some.map((linkId) => ({ linkId, people: each, values: { visitor: newId('clk') } }));
}

/** How many statements go to the store from now on, until it is asked. */
function countStatements(): () => number {
  const trace = log.trace;
  let count = 0;
  log.trace = (() => {
    count += 1;
  }) as typeof log.trace;
  return () => {
    log.trace = trace;
    return count;
  };
}

/** The longest time for which nothing else of the process could run, in milliseconds. */
function holds(): () => number {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  return () => {
    delays.disable();
    return delays.max / 1e6;
  };
}
