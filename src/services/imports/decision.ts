import type { ColumnPlan } from '../../imports/planColumns.ts';
import { columnOf, type RowProblem } from '../../imports/readRow.ts';
import type { CodedError, FieldProblem } from '../../kernel/errors.ts';
import type { PreparedChange } from '../links/prepareChanges.ts';
import type { PreparedLink } from '../links/prepareLinks.ts';
import type { LinkNames, Named } from './findNamed.ts';

export type Outcome = 'created' | 'updated' | 'skipped' | 'failed';

/** Where a row stands in its file, and which of the row's links is meant. */
export interface RowPlace {
  line: number;
  nth: number;
}

/** A row whose cells could be read. */
export interface Candidate extends RowPlace {
  /** What it says that its link will not have. */
  notes: RowProblem[];
  link: Record<string, unknown>;
  names: LinkNames;
  /** The link that is there already. */
  named: Named | null;
}

/** What became of a row, why where it was not made into a link, and else what of it is not in the link. */
export interface RowResult extends RowPlace {
  outcome: Outcome;
  problems: RowProblem[];
  linkId: string | null;
}

/** A row that will be a new link, … */
export interface Creation extends RowPlace {
  notes: RowProblem[];
  create: PreparedLink;
  archived: boolean;
}

/** … a change of one, … */
export interface Update extends RowPlace {
  notes: RowProblem[];
  change: PreparedChange;
}

/** … or nothing, as is known before anything is written. */
export type Decision = Creation | Update | RowResult;

export function settled(
  { line, nth }: RowPlace,
  outcome: Outcome,
  problems: RowProblem[] = [],
  linkId: string | null = null,
): RowResult {
  return { line, nth, outcome, problems, linkId };
}

/** Columns of refusals that name no field. */
const COLUMNS: Record<string, string> = {
  slug_taken: 'slug',
  conflict: 'external_id',
  destination_refused: 'destination',
};

/** A refusal in the words of the file. */
export function problemsOf(plan: ColumnPlan, refusal: CodedError): RowProblem[] {
  if (refusal.fields) return fieldProblems(plan, refusal.fields);
  const field = COLUMNS[refusal.code];
  return [{ column: field ? columnOf(plan, field) : '', message: refusal.message }];
}

/** Bad fields, each under the column that it was read from. */
export function fieldProblems(plan: ColumnPlan, fields: FieldProblem[]): RowProblem[] {
  return fields.map(({ path, message }) => {
    const [field = '', ...inner] = path.split('.');
    if (field === 'utm' && inner.length > 0) return { column: columnOf(plan, `utm_${inner[0]}`), message };
    const place = inner.length > 0 && field !== 'tags' ? `${inner.join('.')}: ` : '';
    return { column: columnOf(plan, field), message: place + message };
  });
}
