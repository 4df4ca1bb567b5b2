import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { option, print, startProduct } from './support/product.ts';

/**
 * CPU time of the command line over that of Node alone, side by side: the runs take turns, so that what else the machine does falls on
 * all of them. `svc links list` has one request in it. The size of the bundle stands below.
 *
 *   npm run bench -- cli [runs=20] [url=http://… key=sk_live_…]
 */
const runs = Number(option('runs', '20'));
const PORT = 3889;
const OUT = 'dist/packages/cli/dist';
const SVC = path.resolve(OUT, 'svc.cjs');

const home = mkdtempSync(path.join(tmpdir(), 'svc-bench-cli-'));
/** Each process says at its end what it took; so does bare Node. */
const meter = path.join(home, 'meter.cjs');
const taken = path.join(home, 'taken');
writeFileSync(
  meter,
  `process.on('exit', () => { const { user, system } = process.cpuUsage(); require('fs').writeFileSync(${JSON.stringify(taken)}, String((user + system) / 1000)); });`,
);

const url = option('url', '');
const product = url === '' ? await startProduct('sqlite', { port: PORT, database: 'svc_bench_cli' }) : null;
const env = {
  HOME: home,
  PATH: process.env.PATH ?? '',
  SVC_URL: url || `http://127.0.0.1:${PORT}`,
  SVC_KEY: product?.key ?? option('key', ''),
};

/** Name, command line, and how much more than Node it may take. */
const CASES: [name: string, args: string[], limitMs: number | null][] = [
  ['node alone', ['-e', '0'], null],
  ['node, one fetch', ['-e', `fetch('${env.SVC_URL}/healthz').then((answer) => answer.text())`], null],
  ['svc --version', [SVC, '--version'], 30],
  ['svc links --help', [SVC, 'links', '--help'], null],
  ['svc links list', [SVC, 'links', 'list'], 110],
  ['svc complete', [SVC, 'complete', '--', 'links', 'cr'], 40],
];

try {
  const figures = CASES.map(() => [] as number[]);
  for (let run = -1; run < runs; run++) {
    for (const [at, [name, args]] of CASES.entries()) {
      const { status, stderr } = spawnSync(process.execPath, ['--require', meter, ...args], { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
      // The first round fills the cache of compiled code.
      if (run >= 0) figures[at]?.push(Number(readFileSync(taken, 'utf8')));
    }
  }
  const medians = figures.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0);
  for (const [at, [name, , limit]] of CASES.entries()) {
    const over = (medians[at] ?? 0) - (medians[0] ?? 0);
    const verdict = limit === null ? '' : `  (at most +${limit}: ${over <= limit ? 'kept' : 'MISSED'})`;
    print(`${name.padEnd(18)} ${(medians[at] ?? 0).toFixed(0).padStart(4)} ms CPU  +${over.toFixed(0)}${verdict}`);
  }
  for (const file of ['main.cjs', 'jq.cjs', 'svc.cjs'])
    print(`${file.padEnd(18)} ${(statSync(path.join(OUT, file)).size / 1000).toFixed(0)} kB`);
} finally {
  await product?.stop();
  rmSync(home, { recursive: true, force: true });
}
