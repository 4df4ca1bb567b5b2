import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { installOnDemand } from './onDemand.mjs';

/**
 * `npm run test:interop` runs the tests with programs of others: all of test/interop/, or the files that are named. They run from
 * the sources, on SQLite or on the store that STORE names.
 */
const asked = process.argv.slice(2);
const files = asked.length > 0 ? asked : globSync('test/interop/**/*.interop.ts', { exclude: isPackages }).sort();
installOnDemand('test/interop');
const { status: built } = spawnSync(process.execPath, ['scripts/build.mjs', 'graphiql'], { stdio: 'inherit' });
if (built !== 0) process.exit(built ?? 1);
const { status } = spawnSync(process.execPath, ['node_modules/mocha/bin/mocha.js', ...files], {
  stdio: 'inherit',
  // Its paths lead from the examples in sdk/ to the frameworks that they use.
  env: { ...process.env, TSX_TSCONFIG_PATH: 'test/interop/tsconfig.json' },
});
process.exit(status ?? 1);

function isPackages(name) {
  return name === 'node_modules';
}
