import { isStoreDown } from '../db/storeFailures.ts';
import { config } from '../kernel/config.ts';
import { log } from '../kernel/log.ts';
import type { Import } from '../models/Import.ts';
import { Project } from '../models/Project.ts';
import { type CsvRow, readCsv, UnreadableCsv } from './csv.ts';
import type { Halt, ImportRun } from './decision.ts';
import { endImport } from './endImport.ts';
import { releaseImport, whileClaimed } from './importClaims.ts';
import { deleteRows, readFile } from './importStore.ts';
import { Pipeline } from './Pipeline.ts';
import { planColumns } from './planColumns.ts';
import { linksIn } from './readRow.ts';

/** Runs in a row that may fail through a fault of ours before any row is imported. */
const MAX_BREAKDOWNS = 3;
const READ_ONLY = 'Waiting because the team is in survival mode.';
const BROKEN = 'Stopped by a fault of ours. The counted rows are imported; import the file again for the rest.';

/**
 * Runs a claimed import from its position to its end, or until it is cancelled, its team becomes read-only, its
 * project is deleted, or `signal` announces that the process stops. Each batch of rows commits together with the counts, so that no row is imported twice.
 */
export async function runImport(claimed: Import, signal: AbortSignal): Promise<void> {
  const project = await Project.findByPk(claimed.projectId);
  // It was deleted meanwhile.
  if (!project) return releaseImport(claimed, 0);
  try {
    const halt = await work(project, claimed, signal);
    if (halt === 'stopping' || halt === 'deleted') await releaseImport(claimed, 0);
    if (halt === 'read_only') await releaseImport(claimed, config.importRetrySeconds, { message: READ_ONLY });
    if (halt === null) await end(project, claimed, 'finished');
  } catch (error) {
    await recordBreakdown(project, claimed, error);
  }
}

async function work(project: Project, claimed: Import, signal: AbortSignal): Promise<Halt> {
  const run = await openRun(project, claimed);
  const pipeline = new Pipeline(run, signal);
  try {
    let toSkip = claimed.position;
    for await (const row of rowsOf(run, readFile(claimed.id))) {
      if (toSkip > 0) {
        toSkip -= 1;
        continue;
      }
      const halt = await pipeline.push(row);
      if (halt) return halt;
    }
    return await pipeline.finish();
  } catch (error) {
    // The rows before the unreadable place are imported all the same.
    if (error instanceof UnreadableCsv) await pipeline.finish();
    throw error;
  } finally {
    await pipeline.waitUntilIdle();
  }
}

/** The rows of the file. A row with several short URLs is returned once for each. */
async function* rowsOf({ plan, claimed }: ImportRun, file: AsyncIterable<Buffer>): AsyncGenerator<CsvRow> {
  for await (const row of readCsv(file, claimed.delimiter)) {
    const urls = linksIn(plan, row.cells);
    if (urls.length === 0) yield row;
    else for (const [nth, shortUrl] of urls.entries()) yield { ...row, nth, shortUrl };
  }
}

async function openRun(project: Project, claimed: Import): Promise<ImportRun> {
  const plan = planColumns(claimed.header, claimed.sourceFormat);
  if (typeof plan === 'string') throw new UnreadableCsv(plan);
  // The links that a dry run would have created are known in memory only, so another process starts over.
  if (claimed.dryRun && claimed.position > 0) {
    await whileClaimed(claimed, async (current, transaction) => {
      await deleteRows(claimed.id, transaction);
      await current.update({ created: 0, updated: 0, skipped: 0, failed: 0 }, { transaction });
    });
    claimed.set({ created: 0, updated: 0, skipped: 0, failed: 0 });
  }
  return { claimed, project, plan, plannedKeys: new Set() };
}

async function end(project: Project, claimed: Import, status: 'finished' | 'failed', message?: string): Promise<void> {
  await whileClaimed(claimed, async (current, transaction) => {
    if (status === 'finished') await current.update({ rows: current.position }, { transaction });
    await endImport(project, current, { status, ...(message ? { message } : {}) }, transaction);
  });
}

async function recordBreakdown(project: Project, claimed: Import, error: unknown): Promise<void> {
  if (error instanceof UnreadableCsv) return end(project, claimed, 'failed', error.message);
  log.error({ err: error, import: claimed.id }, 'an import failed');
  // While the store is down nothing can be written. The lease ends by itself, and the import is not to blame.
  if (isStoreDown(error)) return;
  await whileClaimed(claimed, async (current, transaction) => {
    const breakdowns = current.breakdowns + 1;
    if (breakdowns >= MAX_BREAKDOWNS) {
      return endImport(project, current, { status: 'failed', message: BROKEN }, transaction);
    }
    await current.update({ breakdowns, claim: null, claimedUntil: null }, { transaction });
  });
}
