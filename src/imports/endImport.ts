import type { Transaction } from '../db/sequelize.ts';
import { PRESENTERS } from '../events/presenters.ts';
import { recordEvent } from '../events/recordEvent.ts';
import { now } from '../kernel/clock.ts';
import type { Import } from '../models/Import.ts';
import type { Project } from '../models/Project.ts';
import { deleteFile, touchedLinks } from './importStore.ts';

interface Ending {
  status: 'finished' | 'failed' | 'cancelled';
  /** Why the import as a whole failed. */
  message?: string;
}

/** Ends an import that the transaction has locked: deletes its file and records the event of the batch. */
export async function endImport(
  project: Project,
  ended: Import,
  { status, message }: Ending,
  transaction: Transaction,
): Promise<void> {
  await ended.update(
    { status, message: message ?? null, claim: null, claimedUntil: null, finishedAt: now() },
    { transaction },
  );
  await deleteFile(ended.id, transaction);
  if (ended.dryRun) return;
  const { created, updated, skipped, failed } = ended;
  await recordEvent(transaction, {
    type: 'links.imported',
    teamId: project.teamId,
    projectId: project.id,
    data: PRESENTERS['links.imported']({
      batchId: ended.batchId,
      source: 'csv',
      action: created === 0 && updated > 0 ? 'update' : 'create',
      counts: { created, updated, skipped, failed },
      linkIds: await touchedLinks(ended.id, transaction),
    }),
  });
}
