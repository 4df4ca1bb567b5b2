import path from 'node:path';
import { format } from 'node:util';
import Mocha from 'mocha';
import { watchExecution } from './executedSources.mjs';

/**
 * The process of `TestProcess`: runs the test file that each message names, and reports each test and each file. What files
 * share, such as a product, ends with the process. An error that nothing catches counts against the file that ran last.
 */
const COMPILED = 'dist/tests';
const { EVENT_TEST_BEGIN, EVENT_TEST_PASS, EVENT_TEST_FAIL, EVENT_TEST_PENDING, EVENT_HOOK_BEGIN } =
  Mocha.Runner.constants;

/** What went wrong between two files. */
const stray = [];
let isRunning = false;
process.on('unhandledRejection', (error) => {
  throw error;
});
process.on('uncaughtException', (error) => {
  // While mocha runs, it counts the error against the test.
  if (!isRunning) stray.push(`Between tests: ${error?.stack ?? error}`);
});

const { endAll } = await import(compiled('test/support/atEnd.ts'));
await import(compiled('test/support/hooks.ts'));
const execution = process.env.TEST_MAP === 'true' ? await watchExecution(COMPILED) : null;

process.on('message', async ({ run, end }) => {
  if (run) process.send({ done: await runFile(run).catch((error) => ({ crashed: String(error?.stack ?? error) })) });
  if (!end) return;
  await endAll();
  if (stray.length > 0) {
    process.stderr.write(`${stray.join('\n')}\n`);
    process.exit(1);
  }
  process.disconnect();
});

function compiled(file) {
  return path.resolve(COMPILED, path.relative('.', file)).replace(/\.ts$/, '.js');
}

async function runFile(file) {
  const begunAt = performance.now();
  const usedBefore = process.cpuUsage();
  const mocha = new Mocha({ timeout: 60_000, slow: 2000, reporter: Quiet });
  mocha.addFile(compiled(file));
  let passed = 0;
  let pending = 0;
  let failures = [];
  try {
    await mocha.loadFilesAsync();
    isRunning = true;
    failures = await new Promise((resolve) => {
      const failed = [];
      const runner = mocha.run(() => resolve(failed));
      for (const event of [EVENT_TEST_BEGIN, EVENT_HOOK_BEGIN])
        runner.on(event, (test) => process.send({ begun: test.fullTitle() }));
      runner.on(EVENT_TEST_PASS, (test) => {
        passed += 1;
        process.send({ passed: test.fullTitle(), millis: test.duration });
      });
      runner.on(EVENT_TEST_PENDING, () => {
        pending += 1;
      });
      runner.on(EVENT_TEST_FAIL, (test, error) => failed.push(Object.assign(test, { err: error })));
    });
  } catch (error) {
    stray.push(String(error?.stack ?? error));
  }
  isRunning = false;
  mocha.dispose();
  const messages = printed(failures);
  const { user, system } = process.cpuUsage(usedBefore);
  const executed = await execution?.take();
  const lost = stray.splice(0);
  return {
    passed,
    pending,
    failed: failures.length + lost.length,
    failures: [messages, ...lost].filter(Boolean).join('\n'),
    millis: performance.now() - begunAt,
    cpuMillis: (user + system) / 1000,
    executed,
  };
}

/** As mocha's own reporters print them, with differences. */
function printed(failures) {
  if (failures.length === 0) return '';
  const lines = [];
  const { consoleLog } = Mocha.reporters.Base;
  Mocha.reporters.Base.consoleLog = (...parts) => lines.push(format(...parts));
  Mocha.reporters.Base.list(failures);
  Mocha.reporters.Base.consoleLog = consoleLog;
  return lines.join('\n');
}

function Quiet() {}
