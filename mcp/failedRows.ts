import type { Json, WriteBudget } from './parts.ts';
import { cleaned, shownBudget, ToolRefusal } from './results.ts';

/** A row of a bulk call that failed. */
export interface FailedRow {
  index: number;
  code: string;
  message: string;
}

/** The rows of a bulk call that failed. */
export function failedOf(body: unknown): FailedRow[] {
  const { results } = (body ?? {}) as {
    results?: {
      index: number;
      error?: { code: string; message: string; fields?: { path: string; message: string }[] } | null;
    }[];
  };
  if (!Array.isArray(results)) return [];
  return results.flatMap(({ index, error }) => {
    if (!error) return [];
    const fields = (error.fields ?? []).map(({ path, message }) => `${path}: ${message}`).join(' ');
    return [{ index, code: error.code, message: cleaned(fields || error.message) }];
  });
}

/** A bulk call of which rows failed, as an error with what was done. `budget`: null after a rehearsal. */
export function partly(body: Json, failed: FailedRow[], budget: WriteBudget | null): ToolRefusal {
  const rows = body.results as unknown[];
  const done = rows.length - failed.length;
  const [first] = failed as [FailedRow];
  const state = budget
    ? `${done} of ${rows.length} were done; failed by position: ${listed(failed)}`
    : 'nothing was changed, this was a rehearsal';
  const message =
    failed.length === 1 ? first.message : `${failed.length} of ${rows.length} failed. The first: ${first.message}`;
  return new ToolRefusal(
    { code: first.code, message },
    {
      state,
      data: {
        counts: body.counts,
        failed,
        done: doneOf(body),
        ...(budget ? { write_budget: shownBudget(budget) } : {}),
      },
    },
  );
}

function listed(failed: FailedRow[]): string {
  const shown = failed.slice(0, 20).map(({ index }) => index);
  return failed.length > shown.length
    ? `${shown.join(', ')} and ${failed.length - shown.length} more`
    : shown.join(', ');
}

function doneOf({ results }: Json): Json[] {
  const rows = results as { index: number; error: unknown; link?: { id: string; short_url: string } | null }[];
  return rows.flatMap(({ index, error, link }) =>
    error ? [] : [{ index, ...(link ? { id: link.id, short_url: link.short_url } : {}) }],
  );
}
