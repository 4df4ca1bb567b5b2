import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudit } from '../../audit/recordAudit.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { ImportFormat } from '../../imports/formats.ts';
import { inspectCsv } from '../../imports/inspectCsv.ts';
import { planColumns } from '../../imports/planColumns.ts';
import { config } from '../../kernel/config.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { newId } from '../../kernel/ids.ts';
import { Import, type OnConflict } from '../../models/Import.ts';
import { aboutImport } from './aboutImport.ts';
import { type CsvSource, storeFile } from './importFile.ts';

export interface ImportInput {
  projectId: string;
  /** Default svc. */
  format?: ImportFormat | null;
  dryRun?: boolean | null;
  /** Default skip. */
  onConflict?: OnConflict | null;
}

/**
 * Takes a CSV file to be imported by a job. Throws `validation_failed` for a file that cannot be imported as a whole:
 * not UTF-8, empty, too many rows, no column for the destination, a quote that never ends.
 */
export async function startImport(principal: Principal, input: ImportInput, file: CsvSource | null): Promise<Import> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  if (!file) throw refused('Is required.');
  const sourceFormat = input.format ?? 'svc';
  const facts = await inspectCsv(file(), config.importMaxRows);
  if (typeof facts === 'string') throw refused(facts);
  const plan = planColumns(facts.header, sourceFormat);
  if (typeof plan === 'string') throw refused(plan);
  return inTransaction(async (transaction) => {
    const started = await Import.create(
      {
        id: newId('imp'),
        projectId: project.id,
        sourceFormat,
        status: 'pending',
        dryRun: input.dryRun ?? false,
        onConflict: input.onConflict ?? 'skip',
        batchId: newId('bat'),
        delimiter: facts.delimiter,
        header: facts.header,
        unknownColumns: plan.unknown,
        rows: facts.rows,
      },
      { transaction },
    );
    await storeFile(started.id, file(), transaction);
    const { dryRun, onConflict, rows, batchId } = started;
    const details = { source_format: sourceFormat, dry_run: dryRun, on_conflict: onConflict, rows, batch_id: batchId };
    await recordAudit(transaction, principal, { ...aboutImport(project, started), action: 'import.started', details });
    return started;
  });
}

/** What a problem of the file as a whole is told of: over REST it is the body. */
const FILE = 'file';

function refused(message: string) {
  return validationFailed([{ path: FILE, message }]);
}
