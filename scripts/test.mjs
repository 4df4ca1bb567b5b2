import { spawn } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { testFiles } from './testFiles.mjs';

/**
 * `npm test` runs the suite on both store profiles. PostgreSQL is the one of TEST_POSTGRES_URL, or of this machine when it
 * answers; where none does, PGlite behind a socket stands in, so that its dialect is always exercised. Four runs go on at
 * the same time, each file is a line when it ends, and what failed is told at the end: both profiles, what is the same on any
 * store, and the tests of killed processes, which wait for leases and timeouts most of their time.
 *   npm test -- --store=sqlite test/unit/ids.test.ts      one profile, some files
 *   npm test -- --store=sqlite --coverage                  how much of src the tests run
 */

const options = process.argv.slice(2);
const only = options.find((option) => option.startsWith('--store='))?.slice(8);
const asked = options.filter((option) => !option.startsWith('--'));

/** The stand-in has one session for all connections, too few for a whole product: it carries what asks the store. */
const ON_STAND_IN = ['test/unit/analytics/analytics.test.ts', 'test/unit/clicks/visitorKeys.test.ts'];

/** Stores of tests lie in memory where there is a disk of it: making a thousand files each time takes a tenth of all. */
const MEMORY_DISK = '/dev/shm';
const MEMORY_DISK_BYTES = 4e9;

/** Lines of scripts/filesReporter.cjs that tell of one file. */
const FILE_LINE = /^ {2}[✔✘] /;

/** What the whole takes on two cores; told at the start. */
const USUAL_MINUTES = 12;

const hasPostgres = await answersPostgres();
const begunAt = performance.now();
let passed = 0;
let failed = 0;
const failures = [];
const plan = lanes();
/** With nothing beside it, it shows what it does while it does it. */
const isAlone = plan.length === 1;
if (!isAlone) announce();
await Promise.all(
  plan.map(async (lane) => {
    for (const suite of lane) count(await runSuite(suite));
  }),
);
if (!isAlone) process.stdout.write(`${failures.join('')}\nTook ${minutesSince(begunAt)}.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function announce() {
  const files = plan.flat().reduce((sum, { run }) => sum + run.length, 0);
  const stores = hasPostgres ? 'SQLite and PostgreSQL' : 'SQLite (no PostgreSQL answers: PGlite stands in for some)';
  const usual = asked.length === 0 ? ` The whole suite takes about ${USUAL_MINUTES} minutes on two cores.` : '';
  process.stdout.write(`Running ${files} test files on ${stores}.${usual}\n\n`);
}

function minutesSince(startMs) {
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** What runs beside each other, and in a lane one after another. A suite: its name, its store and what it runs. */
function lanes() {
  const { onEachStore, once, processes } = testFiles();
  const everything = asked.length > 0 ? asked : [...onEachStore, ...once, ...processes];
  if (asked.length > 0 || only) {
    return (only ? [only] : ['sqlite', 'postgres']).map((store) => [{ store, run: everything }]);
  }
  const anywhere = hasPostgres ? 'postgres' : 'sqlite';
  return [
    [{ store: 'postgres', run: hasPostgres ? onEachStore : ON_STAND_IN }],
    [{ store: 'sqlite', run: onEachStore }],
    [{ name: 'processes', store: anywhere, run: processes }],
    [
      { name: 'once', store: anywhere, run: once },
      ...(hasPostgres ? [{ name: 'processes', store: 'sqlite', run: processes }] : []),
    ],
  ];
}

async function runSuite({ name, store, run }) {
  const server = store === 'postgres' ? await findPostgres() : null;
  const title = `── ${[store, server?.about, name].filter(Boolean).join(', ')} ──`;
  const coverage = options.includes('--coverage')
    ? ['c8', '--reporter=text-summary', '--src=src', '--exclude=test/**']
    : [];
  const reporter = isAlone ? [] : ['--reporter', 'scripts/filesReporter.cjs'];
  const label = [store, name].filter(Boolean).join(' ');
  const result = await runCommand(label, [...coverage, 'mocha', ...reporter, ...run], {
    STORE: store,
    TMPDIR: temporaryFolder(),
    ...(server?.env ?? {}),
  });
  server?.stop();
  if (isAlone) process.stdout.write(`\n${title}\n`);
  return { title, ...result };
}

function temporaryFolder() {
  if (process.env.TMPDIR || !existsSync(MEMORY_DISK)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= MEMORY_DISK_BYTES ? MEMORY_DISK : tmpdir();
}

function count({ title, code, output }) {
  const said = (word) => Number(new RegExp(`^\\s+(\\d+) ${word}`, 'm').exec(output.slice(-200_000))?.[1] ?? 0);
  passed += said('passing');
  const isWhole = code === 0 || said('failing') > 0;
  failed += isWhole ? said('failing') : 1;
  if (isAlone || code === 0) return;
  const from = output.search(/^\s+\d+ failing/m);
  failures.push(
    `\n${title} failed:\n${isWhole ? output.slice(from) : `It ended with ${code}:\n${output.slice(-2000)}`}`,
  );
}

function runCommand(label, [command, ...args], env) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    let toldTo = 0;
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (isAlone) return process.stdout.write(chunk);
      const end = output.lastIndexOf('\n') + 1;
      for (const line of output.slice(toldTo, end).split('\n')) {
        if (FILE_LINE.test(line)) process.stdout.write(`${label.padEnd(18)}${line}\n`);
      }
      toldTo = end;
    });
    child.on('close', (code) => resolve({ code, output }));
  });
}

async function findPostgres() {
  const url = postgresUrl();
  if (hasPostgres) return { about: new URL(url).hostname, env: { TEST_POSTGRES_URL: url }, stop() {} };
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
