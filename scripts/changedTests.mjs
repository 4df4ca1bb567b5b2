import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';

/** What each test file executed when `npm run test:map` ran it: `{ [test file]: [source, …] }`. It is not committed. */
export const MAP = '.cache/test-map.json';
const SOURCES = '{app,src,schema,facade,jobs,mcp,cli,sdk,test/{unit,contract,flows,browser,support}}/**/*.ts';
const OF_DASHBOARD = 'dashboard/**/*.{ts,tsx}';

/**
 * Those of the test files that a change can touch, and the changed files that none of them reaches. A test file is touched by
 * itself, by what it imports of test/, and by the sources that it executed according to the map; one that the map does not know
 * is touched by everything that it imports.
 */
export function changedTests(files) {
  const changed = changedFiles();
  const importsOf = readImports();
  const map = existsSync(MAP) ? JSON.parse(readFileSync(MAP, 'utf8')) : {};
  const touching = new Set(withUsersOfConstants(changed, importsOf, executedSomewhere(map)));
  const reached = new Set();
  const touched = files.filter(({ file, text }) => {
    const executed = map[file];
    const imported = closure(file, importsOf, executed ? (name) => name.startsWith('test/') : () => true);
    const hits = [...imported, ...(executed ?? [])].filter((name) => touching.has(name));
    // Tests read documents, tables and pages as files, by their path.
    const read = changed.filter((name) => !name.endsWith('.ts') && text.includes(path.basename(name)));
    for (const name of [...hits, ...read]) reached.add(name);
    return hits.length > 0 || read.length > 0;
  });
  return { touched, unreached: changed.filter((name) => !reached.has(name)) };
}

/** What differs from where this branch left main: committed, staged, changed or new. */
function changedFiles() {
  const base = git('merge-base', 'main', 'HEAD').trim() || 'HEAD';
  const names = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')].join('\n');
  return [...new Set(names.split('\n').filter(Boolean))];
}

function git(...args) {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout ?? '';
}

function readImports() {
  const imports = new Map();
  for (const file of [...globSync(SOURCES), ...globSync(OF_DASHBOARD)]) {
    const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'));
    const local = importedFiles.map(({ fileName }) => fileName).filter((name) => name.startsWith('.'));
    imports.set(
      file,
      local.map((name) => path.join(path.dirname(file), name)),
    );
  }
  return imports;
}

function closure(file, importsOf, isFollowed) {
  const found = new Set([file]);
  for (const name of found)
    for (const imported of importsOf.get(name) ?? []) if (isFollowed(imported)) found.add(imported);
  return found;
}

function executedSomewhere(map) {
  return new Set(Object.values(map).flat());
}

/** A table or a type has nothing to execute: who imports it stands for it. */
function withUsersOfConstants(changed, importsOf, executed) {
  const all = new Set(changed);
  for (const name of all) {
    if (executed.has(name) || name.startsWith('test/')) continue;
    for (const [file, imported] of importsOf) if (imported.includes(name)) all.add(file);
  }
  return all;
}
