import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { changedTests, MAP, treeAsItIs } from './changedTests.mjs';
import { TestProcess } from './TestProcess.mjs';
import { runsOf, testFiles } from './testFiles.mjs';
import { findPostgres } from './testPostgres.mjs';

/**
 * `npm test` runs the quick tier of the tests, `npm run test:plays` the one that takes long: see scripts/testFiles.mjs. A few
 * processes take one file after another, each on one store: PostgreSQL is the one of TEST_POSTGRES_URL, or of this machine when it
 * answers; where none does, PGlite behind a socket stands in, so that its dialect is always exercised. Each file is a line when it
 * ends; failures are printed at the end.
 *   npm test -- test/unit/ids.test.ts              some files, on their stores
 *   npm test -- --store=sqlite FILE…               on one store
 *   npm test -- --changed                          what a change against main can touch: see scripts/changedTests.mjs
 *   npm test -- --coverage                         how much of src the tests run
 *   npm run test:map                               makes the map by which --changed chooses
 */
const { values: options, positionals: asked } = parseArgs({
  allowPositionals: true,
  options: {
    tier: { type: 'string', default: 'quick' },
    store: { type: 'string' },
    changed: { type: 'boolean', default: false },
    map: { type: 'boolean', default: false },
    coverage: { type: 'boolean', default: false },
  },
});

/** The stand-in has one session for all connections, too few for a whole product: it carries what asks the store. */
const ON_STAND_IN = ['test/unit/analytics/analytics.test.ts', 'test/unit/clicks/visitorKeys.test.ts'];

/** Stores of tests lie in memory where there is a disk of it: making hundreds of files each time takes a tenth of all. */
const MEMORY_DISK = '/dev/shm';
const MEMORY_DISK_BYTES = 4e9;

/** Test files whose tests are lines, too. */
const FEW_FILES = 3;

/** The processes that run at once, by the store that they serve. Tests wait about half of their time. */
const PROCESSES = ['postgres', 'postgres', 'sqlite', 'sqlite', 'none'];

/** A store with so many files left is helped: the process for that loads everything anew, which takes four seconds. */
const LEFT_TO_HELP = 3;

const temporary = temporaryFolder();
/** Where the first process that needs an empty embedded store leaves it to the others. */
const templates = mkdtempSync(path.join(temporary, 'svc-test-templates-'));
const postgres = await findPostgres();
const begunAt = performance.now();
const runs = plan();
const isVerbose = new Set(runs.map(({ file }) => file)).size <= FEW_FILES;
const totals = { passed: 0, pending: 0, failed: 0 };
const failures = [];
/** What each file executed. */
const executed = {};
const mappedTree = options.map ? treeAsItIs() : null;
process.stdout.write(`Running ${runs.length} test files on ${postgres.about}.\n\n`);
await Promise.all(processesFor().map(runQueue));
rmSync(templates, { recursive: true, force: true });
postgres.stop();
if (options.map) {
  mkdirSync(path.dirname(MAP), { recursive: true });
  writeFileSync(MAP, JSON.stringify({ at: mappedTree, executed }));
}
if (options.coverage)
  spawnSync(
    'c8',
    ['report', '--temp-directory=.cache/coverage', '--reporter=text-summary', '--src=src', '--exclude=test/**'],
    { stdio: 'inherit' },
  );
process.stdout.write(`${failures.join('\n')}\nTook ${minutesSince(begunAt)}.\n`);
process.stdout.write(
  `\n${totals.passed} passed, ${totals.failed} failed${totals.pending > 0 ? `, ${totals.pending} skipped` : ''}\n`,
);
process.exit(totals.failed === 0 ? 0 : 1);

function plan() {
  const all = testFiles();
  const names = new Set(asked.map((file) => path.relative('.', file)));
  const unknown = [...names].filter((name) => !all.some(({ file }) => file === name));
  if (unknown.length > 0) {
    process.stderr.write(`There is no test file ${unknown.join(', ')}\n`);
    process.exit(2);
  }
  const tier = all.filter(({ file, tier }) => (names.size > 0 ? names.has(file) : tier === options.tier));
  const files = options.changed ? touchedOf(tier) : tier;
  if (options.store) return runsOf(files, [options.store]);
  if (!postgres.isStandIn) return runsOf(files, ['postgres', 'sqlite']);
  const carried = files.filter(({ file }) => ON_STAND_IN.includes(file));
  return [...runsOf(files, ['sqlite']), ...runsOf(carried, ['postgres'])];
}

function touchedOf(tier) {
  const { touched, unreached } = changedTests(tier);
  const hint = existsSync(MAP) ? '' : ' Without a map (npm run test:map) files are chosen by their imports.';
  process.stdout.write(`${touched.length} of ${tier.length} test files can be touched by what changed.${hint}\n`);
  if (unreached.length > 0) process.stdout.write(`No test of them reaches: ${unreached.join(', ')}\n`);
  return touched;
}

/**
 * What each process runs next: of two on one store, the first one begins with files that share a product, and the second one with
 * those that have their own. A process whose store is done takes what needs no store, and then helps another store.
 */
function processesFor() {
  const waiting = { postgres: [], sqlite: [], none: [] };
  for (const run of runs) waiting[run.store].push(run);
  const mostLeft = () => Object.values(waiting).reduce((most, queue) => (queue.length > most.length ? queue : most));
  const helped = () => (mostLeft().length >= LEFT_TO_HELP ? mostLeft().pop() : undefined);
  return PROCESSES.map((store, index) => {
    const isFirst = PROCESSES.indexOf(store) === index;
    const own = () => (isFirst ? waiting[store].shift() : waiting[store].pop());
    return { store, next: () => own() ?? waiting.none.shift() ?? helped() };
  });
}

async function runQueue({ store: first, next }) {
  let store = first;
  let running = null;
  const end = async () => {
    const leftOpen = await running?.end();
    if (leftOpen) count({ file: `the end of a process on ${store}`, store }, { crashed: leftOpen });
    running = null;
  };
  for (let run = next(); run; run = next()) {
    if (run.store !== 'none' && run.store !== store) {
      await end();
      store = run.store;
    }
    running ??= new TestProcess(environmentOf(store), report);
    const result = await running.run(run.file);
    if (result.crashed) {
      running.kill();
      running = null;
    }
    count({ ...run, store }, result);
  }
  await end();
}

function environmentOf(store) {
  return {
    STORE: store,
    TMPDIR: temporary,
    TEST_TEMPLATES: templates,
    TEST_MAP: String(options.map),
    // What is covered is not exact with it.
    ...(options.coverage
      ? { NODE_V8_COVERAGE: '.cache/coverage' }
      : { NODE_COMPILE_CACHE: path.resolve('.cache/compiled') }),
    ...(store === 'postgres' ? postgres.env : {}),
  };
}

function report({ passed, millis }) {
  if (passed && isVerbose) process.stdout.write(`  ✔ ${passed} (${millis} ms)\n`);
}

function count({ file, store }, { crashed, ...result }) {
  const { passed = 0, pending = 0, failed = 1, millis = 0, cpuMillis = 0 } = result;
  for (const [source, ranges] of Object.entries(result.executed ?? {})) {
    executed[file] ??= {};
    executed[file][source] = [...(executed[file][source] ?? []), ...ranges];
  }
  totals.passed += passed;
  totals.pending += pending;
  totals.failed += failed;
  const what = failed > 0 ? `✘ ${failed} failed, ${passed} passed` : `✔ ${passed} passed`;
  const seconds = `${(millis / 1000).toFixed(1).padStart(6)} s ${(cpuMillis / 1000).toFixed(1).padStart(6)} s`;
  process.stdout.write(`${store.padEnd(8)} ${what.padEnd(12)} ${seconds}  ${file}\n`);
  if (failed === 0) return;
  const why = `\n── ${file}, ${store} ──\n${crashed ?? result.failures}`;
  process.stdout.write(`${why}\n`);
  failures.push(why);
}

function minutesSince(startMs) {
  const seconds = Math.round((performance.now() - startMs) / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

function temporaryFolder() {
  if (process.env.TMPDIR || !existsSync(MEMORY_DISK)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY_DISK);
  return bavail * bsize >= MEMORY_DISK_BYTES ? MEMORY_DISK : tmpdir();
}
