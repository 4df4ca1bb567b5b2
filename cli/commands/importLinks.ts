import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Import } from '../../sdk/client/index.ts';
import { givenFlags } from '../addOperation.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { usageError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';
import { valuesOf } from '../flagValues.ts';
import { operationOf } from '../operationOf.ts';
import { bulkExit } from '../output/bulk.ts';
import { replaceFile } from '../replaceFile.ts';

/** A file of 50 MB takes a while on a slow line. */
const UPLOAD_SECONDS = 600;
/** How many rows that failed are shown without `--errors`. */
const SHOWN_ERRORS = 20;

export const command = defineCommand({
  args: [['<file>', 'a CSV file; - is stdin']],
  options: [
    ['--dry-run', 'check the file and count what would happen'],
    ['--wait', 'wait for the end, and show how far it is'],
    ['--errors <file>', 'wait, and write the rows that failed to this CSV file'],
  ],
  takesFlagsOf: 'imports.start',
  without: ['dry_run'],
  examples: [
    'links import links.csv --wait',
    'links import bitly.csv --format bitly --dry-run --wait --errors failed.csv',
  ],
  async run(context, { args: [file = '-'], flags }) {
    const operation = operationOf('imports.start');
    const { query } = await valuesOf(operation, givenFlags(operation, flags));
    if (file !== '-') await access(file).catch(() => Promise.reject(usageError(`${file} cannot be read.`)));
    const answer = await context.request(operation, {
      query: { ...query, ...(flags.dryRun && { dry_run: true }) },
      body: file === '-' ? process.stdin : createReadStream(file),
      contentType: 'text/csv',
      timeoutSeconds: UPLOAD_SECONDS,
    });
    if (!flags.wait && flags.errors === undefined) {
      await context.output.answer({ text: answer.text, columns: ['id', 'status', 'progress', 'created_at'] });
      context.output.note(`It runs on the server: svc imports get ${answer.json<Import>().id}`);
      return EXIT.done;
    }
    const ended = await waitFor(context, answer.json<Import>().id);
    return tell(context, ended, flags.errors);
  },
});

async function waitFor(context: Context, id: string): Promise<Import> {
  const progress = context.output.progress('Importing');
  const client = await context.client();
  try {
    return await client.imports.finished(id, {
      signal: context.signal,
      onProgress: ({ progress: share, counts }) =>
        progress.update(share, `${counts.rows} rows, ${counts.failed} failed`),
    });
  } catch (error) {
    if (context.signal.aborted) {
      progress.stop();
      context.output.problem(`The import goes on: svc imports get ${id}. To end it: svc imports cancel ${id}`);
    }
    throw error;
  } finally {
    progress.stop();
  }
}

async function tell(context: Context, ended: Import, errorsFile: string | undefined): Promise<number> {
  const { output } = context;
  const { id, status, counts, message, dry_run, unknown_columns } = ended;
  if (output.isJson) await output.answer({ text: JSON.stringify(ended) });
  else output.record({ id, status, ...counts, ...(message !== null && { message }) });
  if (dry_run) output.note('Dry run: no link was written.');
  if (unknown_columns.length > 0) output.note(`Columns that were not imported: ${unknown_columns.join(', ')}`);
  if (counts.failed > 0) await tellErrors(context, id, counts.failed, errorsFile);
  return status === 'finished' ? bulkExit(counts.failed, counts.rows) : EXIT.failed;
}

async function tellErrors(context: Context, id: string, failed: number, file: string | undefined): Promise<void> {
  const { text } = await context.request('listImportErrors', { variables: { id } });
  if (file !== undefined) {
    await replaceFile(file, text);
    context.output.note(`Wrote the ${failed} rows that failed to ${file}.`);
    return;
  }
  const lines = text.trimEnd().split(/\r?\n/);
  for (const line of lines.slice(0, SHOWN_ERRORS + 1)) context.output.note(line);
  if (lines.length > SHOWN_ERRORS + 1) context.output.note(`… and more: svc imports errors ${id}`);
}
