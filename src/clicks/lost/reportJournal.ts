import { hostname } from 'node:os';
import { isStoreShared } from '../../db/connection/database.ts';
import { inTransaction } from '../../db/transactions.ts';
import { log } from '../../kernel/log.ts';
import { startLoop } from '../../kernel/loop.ts';
import { lookInto, nameOfJournal, signFolder } from './journalFolder.ts';
import { forgetJournal, REPORT_MS, recordReport } from './journalStore.ts';

/** Names of the journals that this process writes. Whatever its clock and the store say, they are not lost. */
export const ownJournals = new Set<string>();

/**
 * Tells the store every 30 seconds that this process is there, and how many clicks wait in its journal. A process that stops
 * with an empty journal signs off; one that is not heard of any more is noticed by `watchJournals`. Where the store belongs to
 * this process alone, nobody would notice, and nothing is written.
 */
export function startReports(folder: string): { stop(isEmpty: boolean): Promise<void> } {
  if (!isStoreShared()) return { stop: async () => {} };
  const name = nameOfJournal(folder);
  ownJournals.add(name);
  let isSigned = false;
  const report = async () => {
    if (!isSigned) await signFolder(folder);
    isSigned = true;
    const { bytes, oldestMs } = await lookInto(folder);
    await recordReport({ name, host: hostname(), folder, bytes, oldestMs });
  };
  const loop = startLoop(
    report,
    () => REPORT_MS,
    (error) => log.debug({ err: error }, 'could not record the state of the click journal in the store'),
  );
  return {
    async stop(isEmpty) {
      await loop.stop();
      ownJournals.delete(name);
      await (isEmpty ? inTransaction((transaction) => forgetJournal(name, transaction)) : report()).catch((error) =>
        log.debug({ err: error }, 'could not record in the store that this process stops'),
      );
    },
  };
}
