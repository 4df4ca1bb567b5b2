import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * These start products, but what they look at is the same on any store: forms of answers, documents, sockets, timers; what
 * is written of deliveries the model of them compares on each. They run on PostgreSQL, where a product starts faster.
 */
const SAME_ON_ANY_STORE = [
  'test/contract/{errors,openapi,openapiClient,responses,badInput,live,metrics}.test.ts',
  'test/contract/{webhookFairness,webhookTargets,webhookAttempts}.test.ts',
  'test/contract/{webhookResend,webhookDisabling,webhookStops,webhookSwitch,webhookRetries}.test.ts',
  'test/contract/{redirectRequests,redirectPages,appPage,appOpening,linkPages,qr,associationFiles}.test.ts',
  'test/contract/downloads.test.ts',
  'test/contract/{badLinks,linkChecks,trafficClasses,graphqlLimits}.test.ts',
  'test/contract/{storeHangs,requestBodies,home}.test.ts',
  'test/unit/webhooks/lane.test.ts',
  'test/unit/mail/mailServers.test.ts',
  'test/unit/sdk/**/*.test.ts',
];
const PROCESSES = 'test/flows/**/*.test.ts';

/** All test files: those for each store, those that run once, and those that start and kill products. */
export function testFiles() {
  const processes = globSync(PROCESSES).sort();
  const others = globSync('test/**/*.test.ts').filter((file) => !processes.includes(file));
  const same = new Set(SAME_ON_ANY_STORE.flatMap((pattern) => globSync(pattern)));
  const isOnce = (file) => same.has(file) || !asksStore(path.resolve(file));
  return {
    onEachStore: ordered(others.filter((file) => !isOnce(file))),
    once: ordered(others.filter(isOnce)),
    processes,
  };
}

const seen = new Map();

/** Whether a test, or what it imports of test/support, makes a store. */
function asksStore(file) {
  if (file.endsWith('test/support/stores.ts')) return true;
  if (!seen.has(file)) {
    seen.set(file, false);
    const imports = [...readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)].map(([, name]) =>
      path.resolve(path.dirname(file), name),
    );
    const ofTests = imports.filter((name) => name.includes(`${path.sep}test${path.sep}`) && existsSync(name));
    seen.set(file, ofTests.some(asksStore));
  }
  return seen.get(file);
}

/** Files that share a product stand together, so that it starts once: see joinWorld. */
function ordered(files) {
  const shared = (file) => {
    const text = readFileSync(file, 'utf8');
    if (text.includes('useInstalls()')) return 'joinWorld()';
    if (text.includes('useAppLinks()')) return 'joinWorld({ LINK_DOMAIN: GO })';
    return /joinWorld\([^)]*\)/.exec(text)?.[0] ?? '~';
  };
  return files
    .map((file) => ({ file, world: shared(file) }))
    .sort((a, b) => a.world.localeCompare(b.world) || a.file.localeCompare(b.file))
    .map(({ file }) => file);
}
