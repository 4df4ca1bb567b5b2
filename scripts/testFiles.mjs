import { globSync, readFileSync } from 'node:fs';

const MARK = /^\/\/ (plays, )?stores: (each|any|postgres|none)\n/;

/**
 * All test files, each with its tier, its stores and the product that it shares. The first line of a test file says the first two:
 *
 * - `// stores: each` – what it looks at is how a store keeps things, so it runs on SQLite and on PostgreSQL.
 * - `// stores: any` – it starts a product, but what it looks at is the same on any store. It runs once: see `runsOf`.
 * - `// stores: postgres` – it is about what PostgreSQL alone has, such as processes that share a store. It runs once, there.
 * - `// stores: none` – it makes no store. It runs once.
 * - `// plays, stores: …` – it takes long (kills, hangs, clocks, floods, restarts, pages in a browser), and belongs to
 *   `npm run test:plays`. All others belong to `npm test`.
 */
export function testFiles() {
  const files = globSync('test/{unit,contract,flows,browser}/**/*.test.ts')
    .sort()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
  const unmarked = files.filter(({ text }) => !MARK.test(text)).map(({ file }) => file);
  if (unmarked.length > 0) {
    const forms = '// stores: each, any, postgres or none, or // plays, stores: … (see scripts/testFiles.mjs)';
    throw new Error(`The first line must be ${forms}: ${unmarked}`);
  }
  return files.map(({ file, text }) => {
    const [, plays, stores] = MARK.exec(text);
    return { file, tier: plays ? 'plays' : 'quick', stores, product: productOf(text), text };
  });
}

/** The settings of the product that a file shares with others (see joinWorld in test/support/world.ts), or null. */
function productOf(text) {
  if (text.includes('useInstalls()')) return 'joinWorld()';
  if (text.includes('useAppLinks()')) return 'joinWorld({ LINK_DOMAIN: GO })';
  const settings = /(?:join|use)World\(([^)]*)\)/.exec(text)?.[1];
  return settings === undefined ? null : `joinWorld(${settings})`;
}

/** PostgreSQL has files of its own, and answers later: of three files that could run on any store, it gets one. */
const TURNS = ['sqlite', 'postgres', 'sqlite'];

/**
 * The runs of files: each file with its store, in an order in which those that share a product follow each other. Files that
 * run once take turns among the stores, subject by subject, so that each subject meets each store.
 */
export function runsOf(files, stores) {
  const offered = TURNS.filter((store) => stores.includes(store));
  const turns = new Map();
  const nextStore = ({ file }) => {
    const subject = file.split('/').slice(0, 3).join('/');
    const turn = turns.get(subject) ?? hash(subject);
    turns.set(subject, turn + 1);
    return offered[turn % offered.length];
  };
  return files
    .filter((file) => file.stores !== 'postgres' || stores.includes('postgres'))
    .flatMap((file) => {
      if (file.stores === 'each') return stores.map((store) => ({ ...file, store }));
      return [{ ...file, store: file.stores === 'any' ? nextStore(file) : file.stores }];
    })
    .sort((a, b) => (a.product ?? '~').localeCompare(b.product ?? '~') || a.file.localeCompare(b.file));
}

function hash(text) {
  return [...text].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
}
