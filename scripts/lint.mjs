import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { installOnDemand } from './onDemand.mjs';

/** `node scripts/lint.mjs NAME …` runs a linter of scripts/lint/. `npm run check` runs several at a time, and installs them before. */
const FOLDER = 'scripts/lint';
const [name = '', ...options] = process.argv.slice(2);
installOnDemand(FOLDER);
const { status } = spawnSync(path.resolve(FOLDER, 'node_modules/.bin', name), options, {
  stdio: 'inherit',
  // npm's commands are scripts of the shell on Windows.
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
