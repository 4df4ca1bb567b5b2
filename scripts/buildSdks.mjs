import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packPackage } from './packPackage.mjs';

/**
 * Builds every package in sdk/, as ES modules and for `require`, and packs it as `npm pack` would: `package/` in a tarball
 * whose bytes follow from the sources alone. An installation serves what is in dist/downloads: see facade/downloads.ts.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const TO = 'dist/downloads';
const COMMON_JS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];

/** Put together here, so that sdk/ holds nothing but sources. */
const FROM = 'dist/packages';
const folders = globSync('sdk/*/package.json').map((file) => path.dirname(file));
if (!isFresh()) {
  for (const made of [TO, FROM]) rmSync(made, { recursive: true, force: true });
  for (const folder of folders) compile(folder);
  mkdirSync(TO, { recursive: true });
  for (const folder of folders) await packPackage(folder, packageOf(folder));
  writeFileSync(`${TO}/.built`, '');
}

/** A start builds first, and mostly nothing has changed. */
function isFresh() {
  if (!existsSync(`${TO}/.built`)) return false;
  const builtAt = statSync(`${TO}/.built`).mtimeMs;
  const sources = globSync(['sdk/*/*', 'scripts/buildSdks.mjs', 'scripts/packPackage.mjs', 'tsconfig.json']);
  return sources.every((file) => statSync(file).mtimeMs < builtAt);
}

function compile(folder) {
  const dist = path.join(packageOf(folder), 'dist');
  tsc('-p', folder, '--outDir', dist);
  tsc('-p', folder, ...COMMON_JS, '--outDir', path.join(dist, 'cjs'));
  // The package itself says that its files are ES modules.
  writeFileSync(path.join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
}

function packageOf(folder) {
  return path.join(FROM, path.basename(folder));
}

function tsc(...options) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
  if (status !== 0) throw new Error(`tsc ${options.join(' ')} failed`);
}
