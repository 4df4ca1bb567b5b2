import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { changedFunctions } from './changedFunctions.mjs';

/**
 * What each test file executed when `npm run test:map` ran it: `{ at, executed: { [test file]: { [source]: [[first, last], …] } } }`, lines
 * of the commit `at`. It is not committed.
 */
export const MAP = '.cache/test-map.json';
const SOURCES = '{app,src,schema,facade,jobs,mcp,cli,sdk,test/{unit,contract,flows,browser,support}}/**/*.ts';
const OF_DASHBOARD = 'dashboard/**/*.{ts,tsx}';

/**
 * Those of the test files that a change can touch, and the changed files that none of them reaches. A test file is touched by
 * itself, by what it imports of test/, and by the changed functions that it executed according to the map, or by all of a source where
 * more than its functions changed; one that the map does not know is touched by everything that it imports.
 */
export function changedTests(files) {
  const base = git('merge-base', 'main', 'HEAD').trim() || 'HEAD';
  const changed = changedFiles(base);
  const importsOf = readImports();
  const map = existsSync(MAP) ? JSON.parse(readFileSync(MAP, 'utf8')) : { at: null, executed: {} };
  const touching = new Set(withUsersOfConstants(changed, importsOf, executedSomewhere(map.executed)));
  const linesOf = new Map([...touching].map((name) => [name, changedLines(name, [base, map.at])]));
  const reached = new Set([...touching].filter((name) => linesOf.get(name)?.size === 0));
  const touched = files.filter(({ file, text }) => {
    const executed = map.executed[file];
    const imported = closure(file, importsOf, executed ? (name) => name.startsWith('test/') : () => true);
    const isHit = (name) => touching.has(name) && meet(executed[name], linesOf.get(name));
    const hits = [...imported].filter((name) => touching.has(name)).concat(Object.keys(executed ?? {}).filter(isHit));
    // Tests read documents, tables and pages as files, by their path.
    const read = changed.filter((name) => !name.endsWith('.ts') && text.includes(path.basename(name)));
    for (const name of [...hits, ...read]) reached.add(name);
    return hits.length > 0 || read.length > 0;
  });
  return { touched, unreached: changed.filter((name) => !reached.has(name)) };
}

/** What differs from where this branch left main: committed, staged, changed or new. */
function changedFiles(base) {
  const names = [git('diff', '--name-only', base), git('ls-files', '--others', '--exclude-standard')].join('\n');
  return [...new Set(names.split('\n').filter(Boolean))];
}

/** The lines of changed functions in the text that the map knows; null if more changed, or the text is not there any more. */
function changedLines(name, [base, at]) {
  const mapped = at === null ? null : textAt(at, name);
  if (mapped === null || !existsSync(name)) return null;
  const before = textAt(base, name);
  const [sinceBase, sinceMap] = [before, readFileSync(name, 'utf8')].map((other) =>
    changedFunctions(mapped, other ?? ''),
  );
  return sinceBase && sinceMap && new Set([...sinceBase, ...sinceMap]);
}

function textAt(commit, name) {
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${name}`], { encoding: 'utf8' });
  return status === 0 ? stdout : null;
}

/** Whether a test executed one of the lines. */
function meet(ranges, lines) {
  return lines === null || ranges.some(([first, last]) => [...lines].some((line) => line >= first && line <= last));
}

/** A commit of the tree as it is, without those files that git does not know. */
export function treeAsItIs() {
  return git('stash', 'create').trim() || git('rev-parse', 'HEAD').trim();
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

function executedSomewhere(executed) {
  return new Set(Object.values(executed).flatMap(Object.keys));
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
