import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { until } from '../../../../test/support/until.ts';
import type { Installation } from '../Installation.ts';
import type { Play, Stage } from '../Play.ts';
import { MAX_CONNECTIONS } from '../PostgresServer.ts';
import { withRecovery } from '../recovery.ts';

const HELD_MS = 20_000;
const LISTS = 200;
/** How many stay free while lists are asked for. */
const LEFT = 10;
/** Those that the server keeps for its superuser come on top. */
const FOR_ALL = MAX_CONNECTIONS - 3;
const AT_ONCE = 20;
/** How long it may take to get them all. */
const GRAB_MS = 120_000;

/** Others have every connection that the product's role may get; those of the product are cut. */
async function holdAll({ installation }: Stage): Promise<string> {
  return withRecovery(installation, async () => {
    const { store } = installation;
    const held: pg.Client[] = [];
    // Meanwhile the product cannot take back what it loses.
    await store.ask('ALTER ROLE svc CONNECTION LIMIT 0');
    await store.ask(CUT_PRODUCT);
    await until(() => grab(installation, held), 'all connections', GRAB_MS);
    await store.ask('ALTER ROLE svc CONNECTION LIMIT -1');
    await delay(HELD_MS);
    const count = held.length;
    await release(held);
    return `${count} of ${MAX_CONNECTIONS} connections held for ${HELD_MS / 1000} s`;
  });
}

const CUT_PRODUCT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'svc'";

/** Takes connections until none is left. Returns whether these are all. */
async function grab({ store }: Installation, held: pg.Client[]): Promise<boolean> {
  for (;;) {
    const attempts = Array.from({ length: AT_ONCE }, () => store.connect('others').catch(() => null));
    const made = (await Promise.all(attempts)).filter((client) => client !== null);
    held.push(...made);
    if (made.length === 0) return held.length === FOR_ALL;
  }
}

async function release(held: pg.Client[]): Promise<void> {
  await Promise.all(held.splice(0).map((client) => client.end().catch(() => {})));
}

/** Asks for many lists at once while few connections are left, and once more when all are free. */
async function askManyLists({ installation }: Stage): Promise<string> {
  return withRecovery(installation, async () => {
    const held: pg.Client[] = [];
    await grab(installation, held);
    await release(held.splice(0, LEFT));
    const during = await askLists(installation);
    const count = held.length;
    await release(held);
    const after = await askLists(installation);
    return `${LISTS} lists at once while others hold ${count} connections: ${during}; without them: ${after}`;
  });
}

async function askLists({ customers }: Installation): Promise<string> {
  const startedAt = performance.now();
  const asked = Array.from({ length: LISTS }, () => customers.ask('GET', '/links?limit=100'));
  const kinds = new Map<string, number>();
  for (const { kind } of await Promise.all(asked)) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const told = [...kinds].map(([kind, count]) => `${kind}: ${count}`).join(', ');
  return `${told} within ${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
}

export const CONNECTIONS: Play[] = [
  { name: 'connections', about: 'all connections of PostgreSQL held by others', run: holdAll },
  { name: 'manyLists', about: '200 lists asked for at once, with most connections held', run: askManyLists },
];
