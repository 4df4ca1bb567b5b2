import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

/** Nothing that runs like this opens a store: it works without the compiled part of sqlite3, which --ignore-scripts leaves out. */
const withoutSqlite = {
  name: 'without-sqlite',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^sqlite3$/ }, () => ({ path: 'sqlite3', namespace: 'without-sqlite' }));
    onLoad({ filter: /.*/, namespace: 'without-sqlite' }, () => ({ contents: 'export default {};' }));
  },
};

/**
 * Runs a program of these sources as one file: a hundred files are put together in half a second, where a loader that transforms
 * one after the other takes several. Gives what the program exports.
 *   node scripts/bundleAndRun.mjs FILE [options]
 */
export async function bundleAndRun(entry) {
  const outfile = path.resolve('.cache/bundles', `${path.basename(entry, '.ts')}.mjs`);
  mkdirSync(path.dirname(outfile), { recursive: true });
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node22.12',
    packages: 'external',
    plugins: [withoutSqlite],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
  return import(outfile);
}

if (process.argv[1] === import.meta.filename) await bundleAndRun(process.argv[2]);
