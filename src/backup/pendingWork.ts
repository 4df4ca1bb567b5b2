import type { SomeStore } from '../db/tables.ts';
import type { PendingWork } from './manifest.ts';

/**
 * What is done after a restore although it may have been done already: it was pending at the moment of the snapshot. Events
 * without deliveries count too: they get theirs.
 */
export async function pendingIn(store: SomeStore): Promise<PendingWork> {
  const count = async (sql: string) => Number((await store.all<{ count: number | string }>(sql))[0]?.count);
  return {
    deliveries: await count("SELECT COUNT(*) AS count FROM deliveries WHERE status = 'pending'"),
    mails: await count("SELECT COUNT(*) AS count FROM mails WHERE status = 'waiting'"),
  };
}
