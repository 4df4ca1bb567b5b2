import { clock, DAY_MS } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { liftQueryTimeout } from '../connection/internals.ts';
import { openStoreIn } from '../query.ts';
import type { Transaction } from '../sequelize.ts';
import { isStoreDown } from '../storeFailures.ts';
import { inTransaction } from '../transactions.ts';
import { isLockTimeout, LOCK_TIMEOUT } from './lockTimeout.ts';
import { type Partition, readPartitions } from './readPartitions.ts';
import { boundAt, PARTITIONED, type PartitionedTable } from './tables.ts';

/**
 * Makes the partitions that are needed next: there is always one for longer than a partition lasts. Rows that come without one
 * go to the default partition and are not lost. Returns the names of new ones. It may run in two processes at once.
 */
export async function extendPartitions(): Promise<string[]> {
  const made: string[] = [];
  for (const table of PARTITIONED) {
    try {
      const name = await extend(table);
      if (name !== null) made.push(name);
    } catch (error) {
      if (isLockTimeout(error))
        log.info({ table: table.name }, 'the table is in use; it gets its next partition later');
      else if (isStoreDown(error)) throw error;
      else log.error({ err: error, table: table.name }, 'cannot make the next partition; trying again later');
    }
  }
  if (made.length > 0) log.info({ partitions: made }, 'made partitions');
  return made;
}

/** Whether `extendPartitions` would make one. */
export async function isPartitionMissing(): Promise<boolean> {
  for (const table of PARTITIONED) if (rangeToMake(table, await readPartitions(table.name))) return true;
  return false;
}

interface DayRange {
  from: number;
  to: number;
}

/**
 * The range of the next partition. After a time in which none was made it begins tomorrow: what came meanwhile stays in the
 * default partition, since moving it would keep everybody waiting.
 */
function rangeToMake(table: PartitionedTable, partitions: readonly Partition[] | null): DayRange | null {
  if (partitions === null) return null;
  const length = table.days() * DAY_MS;
  // A partition that a clock far ahead has made stands alone, and does not count.
  const near = partitions.filter(({ from }) => from === null || from <= clock.now() + 2 * length);
  const end = Math.max(...near.map(({ to }) => to ?? 0));
  if (end - clock.now() > length) return null;
  const tomorrow = (Math.floor(clock.now() / DAY_MS) + 1) * DAY_MS;
  const from = end > clock.now() ? end : tomorrow;
  return { from, to: from + length };
}

async function extend(table: PartitionedTable): Promise<string | null> {
  if (!rangeToMake(table, await readPartitions(table.name))) return null;
  return inTransaction(async (transaction) => {
    const timeout = await liftQueryTimeout(transaction);
    try {
      return await makeNext(table, transaction);
    } finally {
      await timeout.restore();
    }
  });
}

async function makeNext(table: PartitionedTable, transaction: Transaction): Promise<string | null> {
  const { name, key } = table;
  const store = openStoreIn(transaction);
  await store.all(LOCK_TIMEOUT);
  await store.all(`LOCK TABLE ONLY ${name} IN SHARE UPDATE EXCLUSIVE MODE`);
  // Another process may have made it meanwhile.
  const range = rangeToMake(table, await readPartitions(name, store));
  if (!range) return null;
  const made = `${name}_from_${new Date(range.from).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const [from, to] = [boundAt(table, range.from), boundAt(table, range.to)];
  await store.all(`CREATE TABLE ${made} (LIKE ${name} INCLUDING ALL EXCLUDING STATISTICS)`);
  // Of a clock that was ahead of ours: the default partition must have none of the range.
  await store.all(`LOCK TABLE ${name}_default IN ACCESS EXCLUSIVE MODE`);
  await store.all(
    `WITH early AS (DELETE FROM ${name}_default WHERE ${key} >= ${from} AND ${key} < ${to} RETURNING *)
     INSERT INTO ${made} SELECT * FROM early`,
  );
  await store.all(`ALTER TABLE ${name} ATTACH PARTITION ${made} FOR VALUES FROM (${from}) TO (${to})`);
  return made;
}
