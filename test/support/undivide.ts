import { queryRaw } from '../../src/db/query.ts';
import { inTransaction } from '../../src/db/transactions.ts';

/** Makes a partitioned table what it was in a store of an earlier version. It must have its first two partitions alone. */
export async function undivide(name: string): Promise<void> {
  await inTransaction(async (transaction) => {
    const run = (sql: string) => queryRaw<{ name: string }>(sql, [], transaction);
    await run(`ALTER TABLE ${name} DETACH PARTITION ${name}_first`);
    await run(`DROP TABLE ${name} CASCADE`);
    await run(`ALTER TABLE ${name}_first RENAME TO ${name}`);
    const indexes = await run(`SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE '${name}%_first'`);
    for (const index of indexes)
      await run(`ALTER INDEX ${index.name} RENAME TO ${index.name.slice(0, -'_first'.length)}`);
  });
}
