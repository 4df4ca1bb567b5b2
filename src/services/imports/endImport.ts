import { select } from '../../db/database.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { MAX_LINK_IDS } from '../../events/presentBatch.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { now } from '../../kernel/clock.ts';
import type { Import } from '../../models/Import.ts';
import type { Project } from '../../models/Project.ts';
import { deleteFile } from './importFile.ts';

interface Ending {
  status: 'finished' | 'failed' | 'cancelled';
  /** Why it failed as a whole. */
  message?: string;
}

/** Ends an import that the transaction has locked: its file is deleted, and receivers are told of the batch. */
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

/** One more than an event names, when there are more. */
async function touchedLinks(importId: string, transaction: Transaction): Promise<string[]> {
  const rows = await select<{ id: string }>(
    `SELECT link_id AS id FROM import_rows
      WHERE import_id = :importId AND outcome IN ('created', 'updated') AND link_id IS NOT NULL
      GROUP BY link_id ORDER BY MIN(line) LIMIT :limit`,
    { importId, limit: MAX_LINK_IDS + 1 },
    transaction,
  );
  return rows.map(({ id }) => id);
}
