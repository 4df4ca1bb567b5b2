import type { CodedError, FieldProblem } from '../kernel/errors.ts';
import type { LinkReferences } from '../links/linkStore.ts';
import type { PreparedChange, PreparedLink } from '../links/prepareLinks.ts';
import type { Import } from '../models/Import.ts';
import type { Project } from '../models/Project.ts';
import type { ExistingLink } from './existingLinks.ts';
import type { ColumnPlan } from './planColumns.ts';
import { columnOf, type RowProblem } from './readRow.ts';

/** The state of an import while a process runs it. */
export interface ImportRun {
  claimed: Import;
  project: Project;
  plan: ColumnPlan;
  /** What identifies the links that a dry run would have created: see `keysOf` in planRows.ts. */
  plannedKeys: Set<string>;
}

/** Why an import stopped before the end of its file; null when it did not. `lost`: another process holds its claim. */
export type Halt = 'stopping' | 'read_only' | 'deleted' | 'lost' | null;

export type Outcome = 'created' | 'updated' | 'skipped' | 'failed';

/** The line of a row in its file, and the index of the link for a row with several. */
interface RowLocation {
  line: number;
  nth: number;
}

/** A row whose cells were read without problems. */
export interface Candidate extends RowLocation {
  /** What the row has and its link will not have. */
  notes: RowProblem[];
  link: Record<string, unknown>;
  references: LinkReferences;
  /** The link that it refers to; null when the row creates one. */
  existing: ExistingLink | null;
}

/** The outcome of a row. `problems`: why it was not imported, or for an imported row what its link does not have. */
export interface RowResult extends RowLocation {
  outcome: Outcome;
  problems: RowProblem[];
  linkId: string | null;
}

/** A row that creates a link, … */
export interface Creation extends RowLocation {
  notes: RowProblem[];
  create: PreparedLink;
  archived: boolean;
}

/** … changes one, … */
interface Update extends RowLocation {
  notes: RowProblem[];
  change: PreparedChange;
}

/** … or has its outcome before anything is written. */
export type Decision = Creation | Update | RowResult;

export function rowResult(
  { line, nth }: RowLocation,
  outcome: Outcome,
  problems: RowProblem[] = [],
  linkId: string | null = null,
): RowResult {
  return { line, nth, outcome, problems, linkId };
}

/** The fields that refusals without a list of fields are about. */
const FIELD_OF_CODE: Record<string, string> = {
  slug_taken: 'slug',
  conflict: 'external_id',
  destination_refused: 'destination',
};

/** A refusal as problems by column of the file. */
export function problemsOf(plan: ColumnPlan, refusal: CodedError): RowProblem[] {
  if (refusal.fields) return fieldProblems(plan, refusal.fields);
  const field = FIELD_OF_CODE[refusal.code];
  return [{ column: field ? columnOf(plan, field) : '', message: refusal.message }];
}

/** Bad fields as problems, each by the column that it was read from. */
export function fieldProblems(plan: ColumnPlan, fields: FieldProblem[]): RowProblem[] {
  return fields.map(({ path, message }) => {
    const [field = '', ...inner] = path.split('.');
    if (field === 'utm' && inner.length > 0) return { column: columnOf(plan, `utm_${inner[0]}`), message };
    const place = inner.length > 0 && field !== 'tags' ? `${inner.join('.')}: ` : '';
    return { column: columnOf(plan, field), message: place + message };
  });
}
