import { setTimeout as delay } from 'node:timers/promises';
import { clock } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { liftQueryTimeout } from '../connection/internals.ts';
import { sqlTime } from '../jsonRows.ts';
import { openStoreIn, queryRaw } from '../query.ts';
import type { Transaction } from '../sequelize.ts';
import { inTransaction } from '../transactions.ts';
import { isLockTimeout, LOCK_TIMEOUT } from './lockTimeout.ts';
import { type Partition, readPartitions, storeAheadMs } from './readPartitions.ts';

/** A partition whose rows are all old enough by their ids. */
export type OldPartition = Partition & { to: number };

/** What keeps a partition although its rows are old. */
interface Keepers {
  /** Before the lock: it may go through all rows. */
  hasYoung?(partition: OldPartition): Promise<boolean>;
  /** Under a lock that keeps everybody from the whole table: it must be answered from an index. */
  isNeeded?(partition: OldPartition, transaction: Transaction): Promise<boolean>;
}

/** A partition that has to stay is looked at again after this time. */
const LOOK_AGAIN_MS = 3_600_000;

/** How often the lock is asked for in one run, and the pause between two times. */
const TRIES = 20;
const PAUSE_MS = 250;

/** When to look again at partitions that have to stay, by name. */
const lookAgainAt = new Map<string, number>();

/**
 * Drops the partitions of a table whose rows are all from before `beforeMs`, and which nothing keeps. The clocks of this
 * process and of the store must agree that they are, because everything would be gone in a moment if one of them jumped.
 * It may run in two processes at once.
 */
export async function dropPartitions(
  table: string,
  beforeMs: number,
  { hasYoung = no, isNeeded = no }: Keepers = {},
): Promise<void> {
  for (const partition of await oldPartitions(table, beforeMs)) {
    if ((lookAgainAt.get(partition.name) ?? 0) > clock.now()) continue;
    lookAgainAt.set(partition.name, clock.now() + LOOK_AGAIN_MS);
    if ((await inTransaction((own) => isNeeded(partition, own))) || (await hasYoung(partition))) continue;
    if (await drop(table, partition, isNeeded)) {
      lookAgainAt.delete(partition.name);
      log.info({ partition: partition.name }, 'dropped a partition with old rows');
    }
  }
}

async function no(): Promise<boolean> {
  return false;
}

async function oldPartitions(table: string, beforeMs: number): Promise<OldPartition[]> {
  const partitions = (await readPartitions(table)) ?? [];
  const isOld = (partition: Partition, before: number): partition is OldPartition =>
    partition.to !== null && partition.to <= before;
  if (!partitions.some((partition) => isOld(partition, beforeMs))) return [];
  const before = beforeMs + Math.min(0, await storeAheadMs());
  return partitions.filter((partition) => isOld(partition, before));
}

/** False when somebody used the table all the time, or the partition is needed after all. */
async function drop(table: string, partition: OldPartition, isNeeded: NonNullable<Keepers['isNeeded']>) {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    try {
      return await inTransaction(async (transaction) => {
        const store = openStoreIn(transaction);
        await store.all(LOCK_TIMEOUT);
        await store.all(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
        const isThere = (await readPartitions(table, store))?.some(({ name }) => name === partition.name);
        if (!isThere || (await isNeeded(partition, transaction))) return false;
        await store.all(`DROP TABLE ${partition.name}`);
        return true;
      });
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await delay(PAUSE_MS);
    }
  }
  log.info({ table }, 'the table is in use; an old partition is dropped later');
  return false;
}

/** Whether a table has rows that were created since then; it goes through all of them. */
export async function hasRowsSince(table: string, ms: number): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const timeout = await liftQueryTimeout(transaction);
    try {
      const sql = `SELECT 1 AS one FROM ${table} WHERE created_at >= $1 LIMIT 1`;
      return (await queryRaw(sql, [sqlTime(ms)], transaction)).length > 0;
    } finally {
      await timeout.restore();
    }
  });
}
