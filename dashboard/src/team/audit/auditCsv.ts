import { ask } from '../../kernel/ask.ts';
import { askPatiently } from '../../kernel/askPatiently.ts';
import { csvOf } from '../../kernel/csv.ts';
import type { VariablesOf } from '../../kernel/graphql.ts';
import { AUDIT_LOG, type AuditEntry, type AuditFilters } from './operations.ts';

/** The most that the server gives at a time. */
const PAGE_ROWS = 100;

/** The columns, named as the API names the fields. */
const COLUMNS: Record<string, (entry: AuditEntry) => string | null> = {
  created_at: ({ createdAt }) => createdAt,
  actor_kind: ({ actor }) => actor.kind,
  actor_id: ({ actor }) => actor.id,
  actor_name: ({ actor }) => actor.name,
  action: ({ action }) => action,
  about: ({ about }) => about,
  project_id: ({ projectId }) => projectId,
  subject_id: ({ subjectId }) => subjectId,
  subject_name: ({ subjectName }) => subjectName,
  details: ({ details }) => JSON.stringify(details),
};

interface Walk {
  signal: AbortSignal;
  /** Called with the number of entries so far. */
  onProgress: (found: number) => void;
}

/**
 * Every entry that the filters find, as CSV, newest first. Walks the pages one after the other, and waits where the server
 * asks for it. Throws when `signal` stops it: a part of a log looks like all of it.
 */
export async function auditCsv(
  filters: AuditFilters,
  { signal, onProgress }: Walk,
): Promise<{ csv: string; count: number }> {
  const parts = [csvOf([Object.keys(COLUMNS)])];
  let count = 0;
  let cursor: string | null = null;
  do {
    signal.throwIfAborted();
    const variables: VariablesOf<typeof AUDIT_LOG> = { ...filters, limit: PAGE_ROWS, cursor };
    const page: { data: AuditEntry[]; nextCursor: string | null } = await askPatiently(
      async () => (await ask(AUDIT_LOG, variables, signal)).auditLog,
      signal,
    );
    parts.push(csvOf(page.data.map((entry) => Object.values(COLUMNS).map((cellOf) => cellOf(entry) ?? ''))));
    count += page.data.length;
    cursor = page.nextCursor;
    onProgress(count);
  } while (cursor !== null);
  return { csv: parts.join(''), count };
}
