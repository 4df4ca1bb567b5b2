import path from 'node:path';
import { installOnDemand } from './onDemand.mjs';
import { runSteps } from './steps/runSteps.mjs';

/**
 * `npm run check` does every check of scripts/steps/checkSteps.mjs whose inputs changed since it passed; `npm run check -- NAME…`
 * some of them. Each is a line when it ends; what the failed ones print follows.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const { BUILD_STEPS } = await import('./steps/buildSteps.mjs');
const { CHECK_STEPS } = await import('./steps/checkSteps.mjs');
const names = process.argv.slice(2);
const outputs = [];

installOnDemand('scripts/lint');
const generated = { names: ['generated', 'dashboard-types'], ledger: 'dist/.build/ledger.json', tell };
const failed =
  (await runSteps(BUILD_STEPS, generated)).length > 0 ||
  (await runSteps(CHECK_STEPS, { names, ledger: '.cache/check/ledger.json', tell, tellsFresh: true })).length > 0;
process.stdout.write(outputs.join(''));
process.exitCode = failed ? 1 : 0;

function tell({ name }, { isFresh, isDone, output, seconds }) {
  process.stdout.write(
    `${isDone ? '✔' : '✘'} ${name} ${isFresh ? 'unchanged since it passed' : `${seconds.toFixed(1)} s`}\n`,
  );
  if (!isDone) outputs.push(`\n── ${name} ──\n${output}`);
}
