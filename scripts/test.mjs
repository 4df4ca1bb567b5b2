import { spawn } from 'node:child_process';
import net from 'node:net';

/**
 * `npm test` runs the suite on both store profiles at the same time, and shows the output of the second when the first has
 * ended. PostgreSQL is the one of TEST_POSTGRES_URL, or of this machine when it answers; where none does, PGlite behind a
 * socket stands in, so that its dialect is always exercised.
 *   npm test -- --store=sqlite test/unit/ids.test.ts      one profile, some files
 *   npm test -- --coverage                                 how much of src the first profile runs
 */
const options = process.argv.slice(2);
const only = options.find((option) => option.startsWith('--store='))?.slice(8);
const files = options.filter((option) => !option.startsWith('--'));

const EVERYTHING = ['test/**/*.test.ts'];
/** They ask no store, so they run once: beside the other profile, which is the faster one. */
const WITHOUT_STORE = [
  'test/unit/sdk/**',
  'test/unit/routing/**',
  'test/unit/{matching,kernel,live}/**',
  'test/unit/imports/{formats,inspectCsv}*.test.ts',
  'test/unit/webhooks/{send,resolver,connect,target}*.test.ts',
  'test/contract/openapi*.test.ts',
];
/** The stand-in has one session for all connections, too few for a whole product: it carries what asks the store. */
const ON_STAND_IN = ['test/unit/analytics/analytics.test.ts', 'test/unit/clicks/visitorKeys.test.ts'];

const hasPostgres = answersPostgres();
const stores = only ? [only] : ['sqlite', 'postgres'];
const runs = stores.map((store, at) => runOn(store, { isFirst: at === 0 }));
let passed = 0;
let failed = 0;
for (const run of runs) {
  const result = await run;
  process.stdout.write(result.withheld);
  passed += result.passed;
  failed += result.failed || (result.code === 0 ? 0 : 1);
}
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

async function runOn(store, { isFirst }) {
  const server = store === 'postgres' ? await findPostgres() : null;
  const title = `\n── ${store}${server?.about ? ` (${server.about})` : ''} ──\n`;
  if (isFirst) process.stdout.write(title);
  const all = server?.isStandIn ? ON_STAND_IN : EVERYTHING;
  const coverage =
    isFirst && options.includes('--coverage')
      ? ['c8', '--reporter=text-summary', '--src=src', '--exclude=test/**']
      : [];
  const env = { STORE: store, ...(server?.env ?? {}) };
  const isShared = store === 'sqlite' && stores.length > 1 && files.length === 0 && (await hasPostgres);
  const once = isShared ? WITHOUT_STORE.flatMap((pattern) => ['--ignore', pattern]) : [];
  const result = await run([...coverage, 'mocha', ...once, ...(files.length > 0 ? files : all)], env, isFirst);
  server?.stop();
  return { ...result, withheld: isFirst ? '' : title + result.output };
}

function run([command, ...args], env, isShown) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (chunk) => {
      if (isShown) process.stdout.write(chunk);
      output += chunk;
    });
    child.on('close', (code) => {
      const count = (word) => Number(new RegExp(`^\\s+(\\d+) ${word}`, 'm').exec(output.slice(-200_000))?.[1] ?? 0);
      resolve({ code, output, passed: count('passing'), failed: count('failing') });
    });
  });
}

async function findPostgres() {
  const url = postgresUrl();
  if (await hasPostgres) return { about: new URL(url).hostname, env: { TEST_POSTGRES_URL: url }, stop() {} };
  return startStandIn();
}

function postgresUrl() {
  return process.env.TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
}

function answersPostgres() {
  const { hostname, port } = new URL(postgresUrl());
  return answers(hostname, Number(port || 5432));
}

function answers(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: 2000 });
    const end = (result) => {
      socket.destroy();
      resolve(result);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

async function startStandIn() {
  const child = spawn('tsx', ['test/support/standInPostgres.ts'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
  return {
    about: 'PGlite stands in: analytics and keys alone',
    isStandIn: true,
    env: { TEST_POSTGRES_URL: url, TEST_POSTGRES_SHARED: 'true' },
    stop: () => child.kill(),
  };
}
