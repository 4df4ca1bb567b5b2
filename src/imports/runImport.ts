import { isStoreDown } from '../../db/isStoreDown.ts';
import { planColumns } from '../../imports/planColumns.ts';
import { type CsvRow, readCsv, UnreadableCsv } from '../../imports/readCsv.ts';
import { linksIn } from '../../imports/readRow.ts';
import { config } from '../../kernel/config.ts';
import { log } from '../../kernel/log.ts';
import type { Import } from '../../models/Import.ts';
import { Project } from '../../models/Project.ts';
import { releaseImport, whileClaimed } from './claimImport.ts';
import { endImport } from './endImport.ts';
import { readFile } from './importFile.ts';
import type { Halt, ImportRun } from './importRun.ts';
import { Pipeline } from './Pipeline.ts';
import { forgetRows } from './rowReport.ts';

/** Runs that may break off in a fault of ours without getting any further. */
const MAX_BREAKDOWNS = 3;
const READ_ONLY = 'Waits because the team is in survival mode.';
const BROKEN = 'It broke off because of a fault of ours. What is counted is done; the rest can be imported again.';

/**
 * Runs a claimed import from where it stands to its end, or until it is cancelled, its team is read-only, or `signal`
 * says that the process stops. Each batch of rows commits together with the counts, so that nothing is done twice.
 */
export async function runImport(claimed: Import, signal: AbortSignal): Promise<void> {
  const project = await Project.findByPk(claimed.projectId, { rejectOnEmpty: true });
  try {
    const halt = await work(project, claimed, signal);
    if (halt === 'stopping') await releaseImport(claimed, 0);
    if (halt === 'read_only') await releaseImport(claimed, config.importRetrySeconds, { message: READ_ONLY });
    if (halt === null) await end(project, claimed, 'finished');
  } catch (error) {
    await breakOff(project, claimed, error);
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
      const halt = await pipeline.take(row);
      if (halt) return halt;
    }
    return await pipeline.finish();
  } catch (error) {
    // What stands before the place where a file breaks off lands all the same.
    if (error instanceof UnreadableCsv) await pipeline.finish();
    throw error;
  } finally {
    await pipeline.settle();
  }
}

/** The rows of the file; one that names several links is as many rows in the same line. */
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
  // What a dry run would have made is known in memory alone, so another process begins it anew.
  if (claimed.dryRun && claimed.position > 0) {
    await whileClaimed(claimed, async (current, transaction) => {
      await forgetRows(claimed.id, transaction);
      await current.update({ created: 0, updated: 0, skipped: 0, failed: 0 }, { transaction });
    });
    claimed.set({ created: 0, updated: 0, skipped: 0, failed: 0 });
  }
  return { claimed, project, plan, foreseen: new Set() };
}

async function end(project: Project, claimed: Import, status: 'finished' | 'failed', message?: string): Promise<void> {
  await whileClaimed(claimed, async (current, transaction) => {
    if (status === 'finished') await current.update({ rows: current.position }, { transaction });
    await endImport(project, current, { status, ...(message ? { message } : {}) }, transaction);
  });
}

async function breakOff(project: Project, claimed: Import, error: unknown): Promise<void> {
  if (error instanceof UnreadableCsv) return end(project, claimed, 'failed', error.message);
  log.error({ err: error, import: claimed.id }, 'an import broke off');
  // Its lease ends by itself, and the store's being away says nothing about the import.
  if (isStoreDown(error)) return;
  await whileClaimed(claimed, async (current, transaction) => {
    const breakdowns = current.breakdowns + 1;
    if (breakdowns >= MAX_BREAKDOWNS) {
      return endImport(project, current, { status: 'failed', message: BROKEN }, transaction);
    }
    await current.update({ breakdowns, claim: null, claimedUntil: null }, { transaction });
  });
}
