import { setTimeout as delay } from 'node:timers/promises';
import { checkSecrets } from '../src/db/checkSecrets.ts';
import { database, openDatabase } from '../src/db/connection/database.ts';
import { migrateAtStart } from '../src/db/migrate.ts';
import { warnOfTimeouts } from '../src/db/serverTimeouts.ts';
import { isStoreDown } from '../src/db/storeFailures.ts';
import type { Config } from '../src/kernel/config.ts';
import { log, WarningThrottle } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { connectModels } from '../src/models/index.ts';
import { readSnapshot } from '../src/redirect/readSnapshot.ts';
import type { Snapshot } from '../src/redirect/SnapshotState.ts';

/** How often a store that is away is tried. */
const RETRY_MS = 1000;

interface OpenedStore {
  /** What to serve until the store is there; null: it is there. */
  snapshot: Snapshot | null;
  stop(): Promise<void>;
}

/**
 * Opens and migrates the store. Where it cannot be reached, a process that only serves links starts from its snapshot and goes on
 * trying; without a snapshot it waits. Then `onFault` hears what no waiting mends. Every other process throws.
 */
export async function openStore(config: Config, onFault: (error: unknown) => void): Promise<OpenedStore> {
  const isThere = { snapshot: null, stop: async () => {} };
  try {
    await openAndMigrate(config);
    return isThere;
  } catch (error) {
    if (config.role !== 'redirect' || !isAway(error)) throw error;
    const snapshot = await readSnapshot(config);
    const links = snapshot?.links.length ?? 0;
    log.warn(
      { err: error, links },
      'the store cannot be reached; starting from the snapshot of links, if there is one',
    );
    if (snapshot) return { snapshot, stop: retryBehind(config, onFault).stop };
    await retryUntilThere(config);
    return isThere;
  }
}

/** Models are of the opened store, whether it answers or not. */
async function openAndMigrate(config: Config): Promise<void> {
  const reached = openDatabase(config);
  connectModels();
  await reached;
  await prepareStore(config);
}

/** SQLSTATE classes of what no waiting mends: wrong password, no such database, no rights. */
const LASTING = /^(28|3D|42)/;

function isAway(error: unknown): boolean {
  const { code = '' } = ((error as { parent?: unknown }).parent ?? error) as { code?: string };
  return isStoreDown(error) && !LASTING.test(code);
}

async function tryStore(config: Config): Promise<void> {
  await database().authenticate();
  await prepareStore(config);
}

async function prepareStore(config: Config): Promise<void> {
  await migrateAtStart(config);
  await checkSecrets();
  await warnOfTimeouts();
}

async function retryUntilThere(config: Config): Promise<void> {
  const throttle = new WarningThrottle((message) => log.warn(message));
  for (;;) {
    try {
      await tryStore(config);
      return;
    } catch (error) {
      if (!isAway(error)) throw error;
      throttle.warn('away', `the store cannot be reached; waiting for it (${(error as Error).message})`);
      await delay(RETRY_MS);
    }
  }
}

function retryBehind(config: Config, onFault: (error: unknown) => void): { stop(): Promise<void> } {
  let isThere = false;
  const loop = startLoop(
    async () => {
      if (isThere) return;
      await tryStore(config);
      isThere = true;
      // What the snapshot says may have changed since.
      signals.emitMissed();
      log.info('the store is there; links of the snapshot are asked for again');
    },
    () => (isThere ? 2 ** 31 - 1 : RETRY_MS),
    (error) => {
      if (!isAway(error)) onFault(error);
    },
  );
  return { stop: () => loop.stop() };
}
