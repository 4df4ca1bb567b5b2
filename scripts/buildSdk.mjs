import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { packPackage } from './packPackage.mjs';

/**
 * Builds a package of sdk/, as ES modules and for `require`, and packs it as `npm pack` would: `package/` in a tarball whose bytes
 * follow from the sources alone. An installation serves what is in dist/downloads: see facade/downloads.ts.
 *
 * With TypeScript 6: version 7 writes declarations with other quotes, and a version that was served must keep its bytes.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const COMMON_JS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'];

const [name] = process.argv.slice(2);
const folder = `sdk/${name}`;
/** Put together here, so that sdk/ holds nothing but sources. */
const to = `dist/packages/${name}`;
const dist = `${to}/dist`;

rmSync(to, { recursive: true, force: true });
tsc('-p', folder, '--outDir', dist);
tsc('-p', folder, ...COMMON_JS, '--outDir', `${dist}/cjs`);
// The package itself says that its files are ES modules.
writeFileSync(`${dist}/cjs/package.json`, '{ "type": "commonjs" }\n');
await packPackage(folder, to);

function tsc(...options) {
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
