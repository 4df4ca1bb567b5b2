import { differences, type RowCounts, type SomeStore } from '../db/tables.ts';
import { BackupProblem, type Manifest } from './manifest.ts';

/** What a copy of a store says about itself. */
export type Snapshot = Pick<Manifest, 'migrations' | 'counts' | 'pending'>;

/** Hears how far a part is: a share between 0 and 1. */
export type Progress = (part: string, share: number) => void;

/**
 * What is done after a restore although it may have been done already: it was pending at the moment of the snapshot. Events
 * without deliveries count too: they get theirs.
 */
export async function pendingIn(store: SomeStore): Promise<Manifest['pending']> {
  const count = async (sql: string) => Number((await store.all<{ count: number | string }>(sql))[0]?.count);
  return {
    deliveries: await count("SELECT COUNT(*) AS count FROM deliveries WHERE status = 'pending'"),
    mails: await count("SELECT COUNT(*) AS count FROM mails WHERE status = 'waiting'"),
  };
}

/** Throws a `BackupProblem` that names every table of a restored store that has other rows than the store had. */
export function checkCounts({ counts }: Manifest, found: RowCounts): void {
  const wrong = differences(counts, found);
  if (wrong.length > 0)
    throw new BackupProblem(`The restored store is not the one that was copied: ${wrong.join('; ')}.`);
}
