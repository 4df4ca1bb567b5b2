import path from 'node:path';
import { runSteps } from './steps/runSteps.mjs';

/**
 * Builds what has changed since the last time: all of it, or the steps of scripts/steps/buildSteps.mjs that are named, and what
 * those need.
 *   node scripts/build.mjs cli      the command line
 *   node scripts/build.mjs tests    what `npm test` runs
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const { BUILD_STEPS } = await import('./steps/buildSteps.mjs');
const names = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const failed = await runSteps(BUILD_STEPS, { names, ledger: 'dist/.build/ledger.json', tell });
if (failed.length > 0) process.stderr.write(`Not built: ${failed.join(', ')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** On stderr: what is built first may print for a pipe. */
function tell({ name }, { isDone, output, seconds }) {
  process.stderr.write(`${isDone ? 'built' : 'could not build'} ${name} ${seconds.toFixed(1)} s\n`);
  if (!isDone || output.trim() !== '') process.stderr.write(output);
}
