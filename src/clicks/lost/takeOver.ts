import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { lockDataDir } from '../../db/dataDir.ts';
import { holdLease } from '../../db/lease.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock } from '../../kernel/clock.ts';
import { log, WarningThrottle } from '../../kernel/log.ts';
import { startLoop } from '../../kernel/loop.ts';
import { drainFolder } from './drainFolder.ts';
import { lookInto, ownerOf } from './journalFolder.ts';
import { forgetJournal, JOURNAL_LEASES, LOST_MS, stateOfProcess } from './journalStore.ts';
import { settleLost } from './watchJournals.ts';

/** How often the folder is looked through: a lost journal has waited for ten minutes already. */
const EVERY_MS = 60_000;
/** How often the lease of a journal that is being moved is renewed; it lasts ten times as long. */
const RENEW_MS = 60_000;

/** Journals that were taken from DATA_DIR, so that a process that comes back can begin another one at once. */
const TAKEN = /^clicks\.taken-/;

/** Moves the clicks of lost processes to the store, whose DATA_DIRs are below `folder`, every minute until stopped. */
export function startTakeovers(folder: string, ownDataDir: string): { stop(): Promise<void> } {
  const warnings = new WarningThrottle((message) => log.warn(message));
  return startLoop(
    () => takeOverAll(folder, ownDataDir),
    () => EVERY_MS,
    (error) => warnings.warn('takeover', `CLICK_JOURNALS could not be looked through: ${(error as Error).message}`),
  );
}

/** Takes over every lost journal below `folder`, one after the other. */
export async function takeOverAll(folder: string, ownDataDir: string): Promise<void> {
  const own = await realpath(ownDataDir).catch(() => null);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    await takeOver(path.join(folder, entry.name), own).catch((error) =>
      // One that cannot be read must not hold up the others.
      log.warn({ err: error, dataDir: entry.name }, 'clicks below CLICK_JOURNALS could not be moved to the store'),
    );
  }
}

async function takeOver(dataDir: string, own: string | null): Promise<void> {
  if ((await realpath(dataDir)) !== own) await takeJournal(dataDir);
  for (const name of await readdir(dataDir)) if (TAKEN.test(name)) await moveTaken(path.join(dataDir, name));
}

/**
 * Renames the journal of a lost process, which is then ours. Three signs must agree: the store has not heard of the process for
 * ten minutes, nothing has been written to the journal for as long, and the lock of DATA_DIR is free. The lock alone is not
 * enough on a network disk that does not pass locks on, and silence alone is not where a process cannot reach the store.
 */
async function takeJournal(dataDir: string): Promise<void> {
  const journal = path.join(dataDir, 'clicks');
  const { bytes, writtenMs } = await lookInto(journal);
  if (bytes === 0 || clock.now() - writtenMs < LOST_MS) return;
  const owner = await ownerOf(journal);
  if (owner !== null && (await stateOfProcess(owner)) === 'heard') return;
  const lock = await lockDataDir(dataDir).catch(() => null);
  if (!lock) return;
  try {
    const mark = `${new Date(clock.now()).toISOString().replaceAll(':', '-')}-${randomBytes(3).toString('hex')}`;
    // Another process may have taken it since.
    if ((await lookInto(journal)).bytes > 0) await rename(journal, path.join(dataDir, `clicks.taken-${mark}`));
  } finally {
    await lock.release();
  }
}

/** Moves a journal that was taken, unless another process does so at the moment. After a crash, the next one goes on. */
async function moveTaken(journal: string): Promise<void> {
  if ((await lookInto(journal)).bytes === 0) return;
  const lock = await lockDataDir(journal).catch(() => null);
  if (!lock) return;
  const lease = await lockByLease(path.basename(journal));
  try {
    if (!lease) return;
    const drained = await drainFolder(journal, (message) => log.warn(message));
    const owner = await ownerOf(journal);
    log.warn({ journal, ...drained }, 'moved the clicks of a lost process to the store');
    if (drained.leftBytes > 0) return;
    if (owner !== null) await settleLost(owner);
  } finally {
    await lease?.release();
    await lock.release();
  }
  // Clicks that the store refuses stay for the operator.
  if (!existsSync(path.join(journal, 'rejected.log'))) await rm(journal, { recursive: true, force: true });
}

/**
 * A lease in the store, for a disk whose locks are not seen by others. Should two processes move the same clicks after all,
 * the ids of the clicks keep each from counting twice. Returns null when another process holds it.
 */
async function lockByLease(name: string): Promise<{ release(): Promise<void> } | null> {
  let untilMs = await holdLease(JOURNAL_LEASES, name, null);
  if (untilMs === null) return null;
  const renewal = startLoop(
    async () => {
      untilMs = (await holdLease(JOURNAL_LEASES, name, untilMs)) ?? untilMs;
    },
    () => RENEW_MS,
    (error) => log.debug({ err: error }, 'could not renew the lease of a journal'),
  );
  return {
    async release() {
      await renewal.stop();
      await inTransaction((transaction) => forgetJournal(name, transaction)).catch((error) =>
        log.debug({ err: error }, 'the lease of a journal could not be given back'),
      );
    },
  };
}
