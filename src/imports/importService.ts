import { createReadStream } from 'node:fs';
import { authorizeProject } from '../access/authorize.ts';
import { findOwned } from '../access/findOwned.ts';
import type { Principal } from '../access/principal.ts';
import type { Scope } from '../access/scopes.ts';
import { recordAudit } from '../audit/recordAudit.ts';
import { announce } from '../db/announce.ts';
import { findPage, type Page, type PageRequest } from '../db/paging.ts';
import { inTransaction } from '../db/transactions.ts';
import { presentLink } from '../events/presentLink.ts';
import { config } from '../kernel/config.ts';
import { decodeCursor, encodeCursor } from '../kernel/cursor.ts';
import { CodedError, validationFailed } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { mapYielding } from '../kernel/yield.ts';
import { type LinkFilter, listLinks } from '../links/linkListService.ts';
import { Import, type ImportFormat, type OnConflict } from '../models/Import.ts';
import { Project } from '../models/Project.ts';
import { tagsOfLinks } from '../tags/linkTagStore.ts';
import { type CsvPage, writeCsv } from './csv.ts';
import type { Outcome } from './decision.ts';
import { endImport } from './endImport.ts';
import { EXPORT_COLUMNS, linkCells } from './exportColumns.ts';
import { FORMAT_COLUMNS } from './formats.ts';
import { type ReportLine, readRows, storeFile } from './importStore.ts';
import { inspectCsv } from './inspectCsv.ts';
import { planColumns } from './planColumns.ts';

/** The path of problems of the file as a whole; over REST the file is the body. */
const FILE = 'file';
/** Inspecting a chunk of this size does not delay redirects. */
const CHUNK_BYTES = 256 * 1024;
/** Lines of a report in one answer. */
const LINES_PER_PAGE = 2000;
/** Links of an export in one answer: so few that redirects do not wait, even if each link has many rules. */
const LINKS_PER_PAGE = 100;

export type { CsvPage, Outcome, ReportLine };
export { FORMAT_COLUMNS };

/** Opens a file for reading from its beginning, in chunks of at most CHUNK_BYTES. */
type CsvSource = () => AsyncIterable<Buffer>;

export interface ImportInput {
  projectId: string;
  /** The default is svc. */
  format?: ImportFormat | null;
  dryRun?: boolean | null;
  /** The default is skip. */
  onConflict?: OnConflict | null;
}

/**
 * Stores a CSV file, which a job imports. Throws `validation_failed` for a file that cannot be imported as a whole: not UTF-8,
 * empty, with too many rows, without a column for the destination, or with a quote that is never closed.
 */
export async function startImport(principal: Principal, input: ImportInput, file: CsvSource | null): Promise<Import> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  if (!file) throw fileProblem('Is required.');
  const sourceFormat = input.format ?? 'svc';
  const facts = await inspectCsv(file(), config.importMaxRows);
  if (typeof facts === 'string') throw fileProblem(facts);
  const plan = planColumns(facts.header, sourceFormat);
  if (typeof plan === 'string') throw fileProblem(plan);
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
    await recordAudit(transaction, principal, { ...auditSubject(project, started), action: 'import.started', details });
    await announce(transaction, 'imports', started.id);
    return started;
  });
}

function fileProblem(message: string) {
  return validationFailed([{ path: FILE, message }]);
}

/** The file that was spooled to disk or sent as text; null when there is neither. */
export function sourceOf(spooled: { path: string } | undefined, text: string | null | undefined): CsvSource | null {
  if (spooled) return () => createReadStream(spooled.path, { highWaterMark: CHUNK_BYTES });
  return typeof text === 'string' ? () => chunks(Buffer.from(text)) : null;
}

async function* chunks(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

/**
 * Stops an import after the batch in progress; the links that it has created stay. Safe to repeat. Throws `not_found`, and
 * `conflict` for an import that has finished or failed.
 */
export async function cancelImport(principal: Principal, id: string): Promise<Import> {
  const found = await findImport(principal, id, 'links:write');
  const project = await Project.findByPk(found.projectId, { rejectOnEmpty: true });
  return inTransaction(async (transaction) => {
    const current = await Import.findByPk(id, { transaction, lock: transaction.LOCK.UPDATE, rejectOnEmpty: true });
    if (current.status === 'cancelled') return current;
    if (current.finishedAt) throw new CodedError('conflict', `The import has already ${current.status}.`);
    await endImport(project, current, { status: 'cancelled' }, transaction);
    const { batchId, created, updated, skipped, failed } = current;
    const details = { batch_id: batchId, counts: { created, updated, skipped, failed } };
    await recordAudit(transaction, principal, {
      ...auditSubject(project, current),
      action: 'import.cancelled',
      details,
    });
    return current;
  });
}

/** Imports of a project, newest first. */
export async function listImports(
  principal: Principal,
  projectId: string,
  request: PageRequest,
): Promise<Page<Import>> {
  const project = await authorizeProject(principal, 'links:read', projectId);
  return findPage(Import, { projectId: project.id }, request, ['imports', project.id], {
    attribute: 'createdAt',
    direction: 'DESC',
  });
}

/** One import. Throws `not_found`. */
export function findImport(principal: Principal, id: string, scope: Scope = 'links:read'): Promise<Import> {
  return findOwned(Import, principal, scope, id, 'import');
}

/** The problems of failed rows as CSV: `row` (the line of the file), `column`, `message`. Throws `not_found`. */
export function importErrors(principal: Principal, id: string, cursor?: string | null): Promise<CsvPage> {
  const cells = ({ line, field, message }: ReportLine) => [line, field, message];
  const columns = ['row', 'column', 'message'];
  return report(principal, id, { cursor, outcome: 'failed' }, { list: 'errors', columns, cells });
}

/**
 * The outcome of every row as CSV, or of those with one outcome; for a dry run the predicted one, with a line for each
 * problem. Throws `not_found`.
 */
export function importRowsCsv(principal: Principal, id: string, request: RowsRequest): Promise<CsvPage> {
  const cells = ({ line, outcome, field, message }: ReportLine) => [line, outcome, field, message];
  const columns = ['row', 'outcome', 'column', 'message'];
  return report(principal, id, request, { list: 'rows', columns, cells });
}

/** The same as rows. A row with several problems, or several links, is several of them. Throws `not_found`. */
export async function importRows(
  principal: Principal,
  id: string,
  { limit = 50, ...request }: RowsRequest & { limit?: number | undefined },
): Promise<Page<ReportLine>> {
  const { lines, nextCursor } = await readReport(principal, id, request, 'rows', limit);
  return { data: lines, nextCursor };
}

interface RowsRequest {
  cursor?: string | null | undefined;
  outcome?: Outcome | null | undefined;
}

interface Report {
  list: 'errors' | 'rows';
  columns: string[];
  cells: (line: ReportLine) => (string | number)[];
}

async function report(
  principal: Principal,
  id: string,
  request: RowsRequest,
  { list, columns, cells }: Report,
): Promise<CsvPage> {
  const { lines, nextCursor } = await readReport(principal, id, request, list, LINES_PER_PAGE);
  // The report quotes the imported file and is opened in spreadsheet programs.
  const csv = writeCsv([...(request.cursor ? [] : [columns]), ...lines.map(cells)], { spreadsheet: true });
  return { csv, nextCursor };
}

async function readReport(
  principal: Principal,
  id: string,
  { cursor, outcome }: RowsRequest,
  kind: Report['list'],
  limit: number,
): Promise<{ lines: ReportLine[]; nextCursor: string | null }> {
  const { id: importId } = await findImport(principal, id);
  const list = ['import', kind, importId, ...(kind === 'rows' && outcome ? [outcome] : [])];
  const [line, part] = cursor ? decodeCursor(list, cursor, 2).map(Number) : [0, 0];
  const after: [number, number] = [line || 0, part || 0];
  const found = await readRows(importId, { after, limit: limit + 1, outcome });
  const lines = found.slice(0, limit);
  const last = lines.at(-1);
  return { lines, nextCursor: found.length > limit && last ? encodeCursor(list, [last.line, last.part]) : null };
}

interface Export extends LinkFilter {
  cursor?: string | null;
  /** Escapes formulas for spreadsheet programs; such a file does not import as the same links again. */
  spreadsheet?: boolean | null;
  /** `csv` unless given. */
  format?: ExportFormat | null;
}

/** `ndjson`: a link as REST shows it on each line. */
export type ExportFormat = 'csv' | 'ndjson';

/** Links of a project as CSV that can be imported again, or as lines of JSON; oldest first. */
export async function exportLinks(
  principal: Principal,
  projectId: string,
  { cursor, spreadsheet, format, ...filter }: Export,
): Promise<CsvPage> {
  const request = { ...filter, limit: LINKS_PER_PAGE, cursor: cursor ?? null, order: 'asc' };
  const { data, nextCursor } = await listLinks(principal, projectId, request);
  const tags = await tagsOfLinks(data.map(({ id }) => id));
  const lines = await mapYielding(data, (link) => {
    const names = (tags.get(link.id) ?? []).map(({ name }) => name);
    if (format === 'ndjson') return `${JSON.stringify(presentLink(link, names))}\n`;
    return writeCsv([linkCells(link, names)], { spreadsheet: spreadsheet ?? false });
  });
  if (format === 'ndjson') return { csv: lines.join(''), nextCursor };
  return { csv: [...(cursor ? [] : [writeCsv([[...EXPORT_COLUMNS]])]), ...lines].join(''), nextCursor };
}

/** How audit entries name an import and its owner. */
function auditSubject({ id, teamId }: Project, subject: Import) {
  return { teamId, projectId: id, subjectId: subject.id, subjectName: null };
}
