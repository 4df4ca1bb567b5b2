import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * npm runs this after an installation, so that editors find the types that are made from the sources. Nothing depends on it: each
 * command makes them first, as after an installation with --ignore-scripts. Without the development packages there is nothing
 * to do, and what fails here is told by the next command.
 */
if (existsSync('node_modules/typescript-native') && existsSync('schema.graphql')) {
  spawnSync(process.execPath, ['scripts/build.mjs', 'generated', 'dashboard-types'], { stdio: 'inherit' });
}
