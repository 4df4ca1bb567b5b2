import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { create } from 'tar';

/**
 * Builds every package in sdk/, as ES modules and for `require`, and packs it as `npm pack` would: `package/` in a tarball
 * whose bytes follow from the sources alone. An installation serves what is in dist/downloads: see facade/downloads.ts.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const TO = 'dist/downloads';
/** As npm writes it, so that no tarball tells when it was made. */
const MTIME = new Date('1985-10-26T08:15:00.000Z');
const COMMON_JS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];

/** Put together here, so that sdk/ holds nothing but sources. */
const FROM = 'dist/packages';
const folders = globSync('sdk/*/package.json').map((file) => path.dirname(file));
if (!isFresh()) {
  for (const made of [TO, FROM]) rmSync(made, { recursive: true, force: true });
  for (const folder of folders) compile(folder);
  mkdirSync(TO, { recursive: true });
  for (const folder of folders) await pack(folder);
  writeFileSync(`${TO}/.built`, '');
}

/** A start builds first, and mostly nothing has changed. */
function isFresh() {
  if (!existsSync(`${TO}/.built`)) return false;
  const builtAt = statSync(`${TO}/.built`).mtimeMs;
  const sources = globSync(['sdk/*/*', 'scripts/buildSdks.mjs', 'tsconfig.json']);
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

async function pack(folder) {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const cwd = packageOf(folder);
  for (const part of ['LICENSE', 'README.md', 'package.json']) cpSync(path.join(folder, part), path.join(cwd, part));
  const files = globSync('**/*.*', { cwd }).concat('LICENSE').sort();
  const file = `${TO}/${name}-${version}.tgz`;
  await create({ file, cwd, prefix: 'package', gzip: { level: 9 }, portable: true, mtime: MTIME }, files);
  const hash = createHash('sha512').update(readFileSync(file)).digest('base64');
  process.stdout.write(`${file} sha512-${hash}\n`);
}
