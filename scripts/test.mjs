import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, symlinkSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { testFiles } from './testFiles.mjs';
import { runWatched } from './watchedProcess.mjs';

/**
 * `npm test` runs the suite on both store profiles. PostgreSQL is the one of TEST_POSTGRES_URL, or of this machine when it
 * answers; where none does, PGlite behind a socket stands in, so that its dialect is always exercised. The files are cut into
 * parts, and a few workers take one part after another, so that no core is idle before the end. Each file is a line when it
 * ends; failures are printed at the end. A few files that fail beside others are tried once more alone: see `tryAgain`.
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

/** Lines of scripts/filesReporter.cjs that tell of one file or one failure. */
const FILE_LINE = /^ {2,4}[✔✘] /;
const FAILED_FILE = /^ {2}✘ (\d+) failed, (\d+) passed +[\d.]+ s {2}(\S+)$/gm;

/** What the whole takes on two cores; told at the start. */
const USUAL_MINUTES = 30;

/** Where tsconfig.test.json puts what it compiles: tests, and the sources that they import. */
const COMPILED = 'dist/tests';

/** More files than these do not fail because the machine was busy. */
const MAX_SECOND_TRIES = 12;

/** Two of the workers begin with tests that wait; the others keep two cores busy. */
const WORKERS = 5;
const WAITERS = 2;

/** Each part is a process, which costs two seconds to start; the last parts should end at about the same time. */
const FILES_A_PART = 16;
const FILES_OF_PROCESSES = 4;
/**
 * One worker begins with the browser, which uses a core and a half: two of them would starve the tests that wait. When those are
 * done, another one helps. Files share products.
 */
const FILES_A_BROWSER = 5;

compileTests();
const temporary = temporaryFolder();
/** Where the first process that needs an empty embedded store leaves it to the others. */
const templates = mkdtempSync(path.join(temporary, 'svc-test-templates-'));
const hasPostgres = await answersPostgres();
const begunAt = performance.now();
let passed = 0;
let failed = 0;
const failures = [];
/** Files with failures, each with its store, and how many of its tests failed and passed. */
const failedFiles = [];
const { workers, parts } = plan();
/** A single part prints what it does while it does it. */
const isAlone = parts.length === 1;
if (!isAlone) announce();
await Promise.all(
  workers.map(async (queues) => {
    for (let part = nextOf(queues); part; part = nextOf(queues)) count(await runPart(part));
  }),
);
const unsteady = await tryAgain();
rmSync(templates, { recursive: true, force: true });
if (!isAlone) process.stdout.write(`${failures.join('')}${unsteady}\nTook ${minutesSince(begunAt)}.\n`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exit(failed === 0 ? 0 : 1);

function announce() {
  const files = parts.flatMap(({ run }) => run).length;
  const stores = hasPostgres ? 'SQLite and PostgreSQL' : 'SQLite (no PostgreSQL answers: PGlite stands in for some)';
  const usual = asked.length === 0 ? ` The whole suite takes about ${USUAL_MINUTES} minutes on two cores.` : '';
  process.stdout.write(`Running ${files} test files on ${stores}.${usual}\n\n`);
}

function minutesSince(startMs) {
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/**
 * All parts, and the queues of them that each worker empties, one after the other. A part: its store and its files. The
 * tests of processes wait for leases and timeouts most of their time: they begin first, next to those that need the cores.
 */
function plan() {
  const { onEachStore, once, browser, processesOnEachStore, processesOnce } = testFiles();
  if (asked.length > 0 || only) {
    const run =
      asked.length > 0 ? asked : [...onEachStore, ...once, ...browser, ...processesOnEachStore, ...processesOnce];
    const parts = (only ? [only] : ['sqlite', 'postgres']).map((store) => ({ store, run }));
    return { workers: parts.map((part) => [[part]]), parts };
  }
  const anywhere = hasPostgres ? 'postgres' : 'sqlite';
  const waiting = alternating(
    partsOf([...processesOnEachStore, ...processesOnce], anywhere, FILES_OF_PROCESSES),
    hasPostgres ? partsOf(processesOnEachStore, 'sqlite', FILES_OF_PROCESSES) : [],
  );
  const pages = partsOf(browser, anywhere, FILES_A_BROWSER);
  const busy = [
    ...partsOf(hasPostgres ? onEachStore : ON_STAND_IN, 'postgres'),
    ...partsOf(once, anywhere),
    ...partsOf(onEachStore, 'sqlite'),
  ];
  return {
    workers: Array.from({ length: WORKERS }, (_, index) => {
      if (index === 0) return [waiting, pages, busy];
      if (index < WAITERS) return [waiting, busy];
      return index === WAITERS ? [pages, busy, waiting] : [busy, waiting];
    }),
    parts: [...waiting, ...pages, ...busy],
  };
}

/** Processes of several files at a time would use up the connections of a PostgreSQL server. */
function alternating(some, others) {
  return [...some.flatMap((part, at) => [part, ...others.slice(at, at + 1)]), ...others.slice(some.length)];
}

function partsOf(files, store, size = FILES_A_PART) {
  return Array.from({ length: Math.ceil(files.length / size) }, (_, index) => ({
    store,
    run: files.slice(index * size, (index + 1) * size),
  }));
}

function nextOf(queues) {
  return queues.find((queue) => queue.length > 0)?.shift();
}

/** Once for all runs: each would transform a thousand files on its own. Types were checked by the build and `npm run check`. */
function compileTests() {
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.test.json'], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  // Packages stand where the compiled product looks for them, and their examples import them by name, as customers do.
  link('dist/downloads', 'downloads');
  link('dist/graphiql', 'graphiql');
  // The folder has what tests import of the pages, too.
  for (const name of readdirSync('dist/dashboard')) link(`dist/dashboard/${name}`, `dashboard/${name}`);
  link('dist/packages/webhooks', 'node_modules/SVC-Webhooks');
}

function link(from, name) {
  const place = path.join(COMPILED, name);
  rmSync(place, { recursive: true, force: true });
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.resolve(from), place, 'junction');
}

function compiled(file) {
  return path.join(COMPILED, path.relative('.', file)).replace(/\.ts$/, '.js');
}

async function runPart({ store, run }) {
  const server = store === 'postgres' ? await findPostgres() : null;
  const title = `── ${[store, server?.about].filter(Boolean).join(', ')} ──`;
  const coverage = options.includes('--coverage')
    ? ['c8', '--reporter=text-summary', '--src=src', '--exclude=test/**']
    : [];
  const reporter = isAlone ? [] : ['--reporter', 'scripts/filesReporter.cjs'];
  const result = await runWatched(
    [...coverage, 'mocha', '--config', 'scripts/mocha.json', ...reporter, ...run.map(compiled)],
    {
      STORE: store,
      TMPDIR: temporary,
      TEST_TEMPLATES: templates,
      // Hundreds of processes compile the same files; what they cover is not exact then.
      ...(coverage.length > 0 ? {} : { NODE_COMPILE_CACHE: path.join(templates, 'compiled') }),
      ...(server?.env ?? {}),
    },
    tellAs(store),
  );
  server?.stop();
  if (isAlone) process.stdout.write(`\n${title}\n`);
  return { title, store, run, ...result };
}

/**
 * Runs files that failed once more, one at a time, on the machine that is quiet now, and counts what they say then. What passes
 * is told all the same: it knows too little of a busy machine, or the product does. Where a part of the run hung or crashed, or
 * many files failed, nothing is tried again. Gives what to print.
 */
async function tryAgain() {
  const known = failedFiles.reduce((sum, file) => sum + file.failed, 0);
  if (failed === 0 || failed !== known || failedFiles.length > MAX_SECOND_TRIES) return '';
  process.stdout.write('\nOnce more, alone:\n');
  const steady = [];
  for (const { store, file, ...first } of [...failedFiles]) {
    passed -= first.passed;
    failed -= first.failed;
    const result = await runPart({ store, run: [file] });
    count(result);
    if (result.code === 0) steady.push(`  ${store.padEnd(8)} ${file}\n`);
  }
  return steady.length > 0 ? `\nFailed beside others, see above, and passed alone:\n${steady.join('')}` : '';
}

function temporaryFolder() {
  if (process.env.TMPDIR || !existsSync(MEMORY_DISK)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= MEMORY_DISK_BYTES ? MEMORY_DISK : tmpdir();
}

function count({ title, store, run, code, output, hung }) {
  const said = (word) => Number(new RegExp(`^\\s+(\\d+) ${word}`, 'm').exec(output.slice(-200_000))?.[1] ?? 0);
  passed += said('passing');
  const isWhole = !hung && (code === 0 || said('failing') > 0);
  failed += isWhole ? said('failing') : said('failing') + 1;
  if (hung) process.stdout.write(`${title} ✘ ${hung}\n  ${run.join('\n  ')}\n`);
  if (isAlone || code === 0) return;
  for (const [, failed, passed, file] of output.matchAll(FAILED_FILE)) {
    failedFiles.push({ store, file, failed: Number(failed), passed: Number(passed) });
  }
  const from = output.search(/^\s+\d+ failing/m);
  const why = hung ?? `It ended with ${code}.`;
  failures.push(
    `\n${title} failed:\n${isWhole ? output.slice(from) : `${why}\n${run.join('\n')}\n${output.slice(-2000)}`}`,
  );
}

/** Prints everything of a part that runs alone, else a line for each file and failure. */
function tellAs(label) {
  let rest = '';
  return (chunk) => {
    if (isAlone) return process.stdout.write(chunk);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) if (FILE_LINE.test(line)) process.stdout.write(`${label.padEnd(8)}${line}\n`);
  };
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
  const child = spawn('node', [compiled('test/support/standInPostgres.ts')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve) => child.stdout.once('data', (chunk) => resolve(String(chunk).trim())));
  return {
    about: 'PGlite stands in: analytics and keys alone',
    isStandIn: true,
    env: { TEST_POSTGRES_URL: url, TEST_POSTGRES_SHARED: 'true' },
    stop: () => child.kill(),
  };
}
