import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundleAndRun } from './bundleAndRun.mjs';

/**
 * Writes what is printed from the sources.
 *   npm run generate                      all of it
 *   node scripts/generate.mjs --build     what git does not have; what it has goes to a folder of drafts. The build does this
 *   node scripts/generate.mjs --check     compares what git has with the drafts; it may have nothing else of this
 */
const DRAFTS = '.cache/print';

process.chdir(path.resolve(import.meta.dirname, '..'));
if (process.argv.includes('--check')) {
  const { default: files } = await import('./print/files.json', { with: { type: 'json' } });
  for (const file of Object.values(files.committed)) compare(file);
  refuseInGit(Object.values(files.uncommitted));
} else {
  const { printCommitted, printUncommitted } = await bundleAndRun('scripts/print/all.ts');
  const isBuild = process.argv.includes('--build');
  write(await printUncommitted());
  write(printCommitted({ isDraft: isBuild }), isBuild ? DRAFTS : '.');
}

/** What is the same already is left alone, so that nothing is made from it again. */
function write(files, folder = '.') {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function refuseInGit(files) {
  const { stdout } = spawnSync('git', ['ls-files', '--', ...files], { encoding: 'utf8' });
  const tracked = (stdout ?? '').split('\n').filter(Boolean);
  if (tracked.length === 0) return;
  process.stderr.write(`The build makes what git should not have: run \`git rm --cached ${tracked.join(' ')}\`.\n`);
  process.exitCode = 1;
}

function compare(file) {
  if (existsSync(file) && readFileSync(file, 'utf8') === readFileSync(path.join(DRAFTS, file), 'utf8')) return;
  process.stderr.write(`${file} is stale: run \`npm run generate\` and commit it.\n`);
  process.exitCode = 1;
}
