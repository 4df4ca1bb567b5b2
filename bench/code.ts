import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { option, print, startProduct } from './support/product.ts';

/**
 * Links as code by the built command line, with a server on loopback: time, CPU, memory and requests of a plan and an apply. The server
 * shares the cores with it.
 *
 *   npm run bench -- code [links=10000] [large=100000] [store=sqlite|postgres] [format=yaml|json]
 */
const LINKS = Number(option('links', '10000'));
/** 0 leaves it out. */
const LARGE = Number(option('large', '100000'));
const FORMAT = option('format', 'yaml');
const PORT = 3891;
const SVC = path.resolve('dist/packages/cli/dist/svc.cjs');

const home = mkdtempSync(path.join(tmpdir(), 'svc-bench-code-'));
const meter = path.join(home, 'meter.cjs');
const taken = path.join(home, 'taken.json');
writeFileSync(
  meter,
  `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); require('fs').writeFileSync(${JSON.stringify(taken)}, JSON.stringify({ cpuMs: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1000 })); });`,
);
const product = await startProduct(option('store', 'sqlite'), { port: PORT, database: 'svc_bench_code' });

/** Writes a stack of so many links. */
function write(version: string, count: number): string {
  const links = Array.from({ length: count }, (_, at) => ({
    slug: `b-${count}-${at}`,
    destination: `https://example.com/${version}/${at}?x=1`,
    tags: ['bulk', `t${at % 20}`],
    title: `Title of ${at}`,
  }));
  const file = path.join(home, `${count}.${FORMAT}`);
  const named = links.map((link, at) => [`link-${at}`, link] as const);
  const head = { version: 1, stack: `bench-${count}` };
  writeFileSync(
    file,
    FORMAT === 'json' ? JSON.stringify({ ...head, links: Object.fromEntries(named) }) : yamlOf(head.stack, named),
  );
  return file;
}

function yamlOf(stack: string, named: (readonly [string, { tags: string[]; [field: string]: unknown }])[]): string {
  const entry = ([name, { tags, ...fields }]: (typeof named)[number]) =>
    [
      `  ${name}:`,
      ...Object.entries(fields).map(([field, value]) => `    ${field}: ${value}`),
      `    tags: [${tags.join(', ')}]`,
    ].join('\n');
  return `version: 1\nstack: ${stack}\nlinks:\n${named.map(entry).join('\n')}\n`;
}

function measure(name: string, count: number, expected: number, ...args: string[]): void {
  const env = { HOME: home, PATH: process.env.PATH ?? '', SVC_URL: `http://127.0.0.1:${PORT}`, SVC_KEY: product.key };
  const begunAt = performance.now();
  const run = spawnSync(process.execPath, ['--require', meter, SVC, ...args, '--debug'], {
    env,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  const seconds = (performance.now() - begunAt) / 1000;
  if (run.status !== expected) throw new Error(`${name} ended with ${run.status}: ${run.stderr.slice(-2000)}`);
  const requests = run.stderr.split('\n').filter((line) => /^(GET|PUT|POST|PATCH|DELETE) /.test(line));
  const asked = requests.map((line) => Number(/ (\d+) ms/.exec(line)?.[1] ?? 0)).reduce((sum, ms) => sum + ms, 0);
  const { cpuMs, megabytes } = JSON.parse(readFileSync(taken, 'utf8'));
  const rate = Math.round(count / seconds);
  print(
    `${name.padEnd(26)} ${seconds.toFixed(1).padStart(6)} s, ${(cpuMs / 1000).toFixed(1)} s CPU, ${(asked / 1000).toFixed(1)} s in ${requests.length} requests, ${Math.round(megabytes)} MB, ${rate} links/s`,
  );
}

try {
  for (const count of [LINKS, LARGE].filter((one) => one > 0)) {
    const file = write('a', count);
    measure(`plan ${count} new`, count, 2, 'plan', '-f', file, '--json');
    measure(`apply ${count} creates`, count, 0, 'apply', '-f', file, '--yes', '--quiet', '--json');
    measure(`plan ${count} unchanged`, count, 0, 'plan', '-f', file, '--json');
    write('b', count);
    measure(`plan ${count} changed`, count, 2, 'plan', '-f', file, '--json', '--allow-many');
    measure(`apply ${count} changes`, count, 0, 'apply', '-f', file, '--yes', '--quiet', '--json', '--allow-many');
  }
} finally {
  await product.stop();
  rmSync(home, { recursive: true, force: true });
}
