import { globSync, readFileSync } from 'node:fs';

/** Tests that start and kill processes of the product: they wait for leases and timeouts most of their time. */
const PROCESSES = 'test/flows/';
/** Tests in a browser take the longest: minutes, where others take seconds. */
const BROWSER = 'test/browser/';
const MARK = /^\/\/ stores: (each|any|none)\n/;

/**
 * All test files: those that run on each store, those that run once, those in a browser, which run once, and those that start
 * and kill products, on each store or once. The first line of a test file says which stores it needs:
 *
 * - `// stores: each` – what it looks at is kept in a store, so it runs on SQLite and on PostgreSQL.
 * - `// stores: any` – it starts a product, but what it looks at is the same on any store: forms of answers, documents, sockets,
 *   timers. It runs once, on PostgreSQL where there is one, because a product starts faster there.
 * - `// stores: none` – it makes no store. It runs once.
 */
export function testFiles() {
  const files = globSync('test/**/*.test.ts').map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const unmarked = files.filter(({ text }) => !MARK.test(text)).map(({ file }) => file);
  if (unmarked.length > 0) {
    throw new Error(`The first line must be // stores: each, any or none (see scripts/testFiles.mjs): ${unmarked}`);
  }
  const processes = files.filter(({ file }) => file.startsWith(PROCESSES));
  const browser = files.filter(({ file }) => file.startsWith(BROWSER));
  const others = files.filter(({ file }) => !file.startsWith(PROCESSES) && !file.startsWith(BROWSER));
  const isOnEach = ({ text }) => MARK.exec(text)?.[1] === 'each';
  return {
    onEachStore: ordered(others.filter(isOnEach)),
    once: ordered(others.filter((file) => !isOnEach(file))),
    browser: ordered(browser),
    processesOnEachStore: namesOf(processes.filter(isOnEach)),
    processesOnce: namesOf(processes.filter((file) => !isOnEach(file))),
  };
}

function namesOf(files) {
  return files.map(({ file }) => file).sort();
}

/** Files that share a product stand together, so that it starts once: see joinWorld in test/support/world.ts. */
function ordered(files) {
  const sharedBy = (text) => {
    if (text.includes('useInstalls()')) return 'joinWorld()';
    if (text.includes('useAppLinks()')) return 'joinWorld({ LINK_DOMAIN: GO })';
    const settings = /(?:join|use)World\(([^)]*)\)/.exec(text)?.[1];
    return settings === undefined ? '~' : `joinWorld(${settings})`;
  };
  return files
    .map(({ file, text }) => ({ file, world: sharedBy(text) }))
    .sort((a, b) => a.world.localeCompare(b.world) || a.file.localeCompare(b.file))
    .map(({ file }) => file);
}
