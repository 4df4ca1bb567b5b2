import { Link } from '@tanstack/react-router';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { usePages } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';

const ROWS = graphql(`
  query ImportRows($id: ID!, $outcome: ImportOutcome, $cursor: String) {
    importRows(id: $id, outcome: $outcome, limit: 50, cursor: $cursor) {
      data {
        row
        outcome
        column
        message
        linkId
      }
      nextCursor
    }
  }
`);

export const OUTCOMES = ['all', 'created', 'updated', 'skipped', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const POLL_MS = 2000;

interface ImportRowsProps {
  importId: string;
  outcome: Outcome;
  isDryRun: boolean;
  isUnderWay: boolean;
}

/** What became of each row. */
export function ImportRows({ importId, outcome, isDryRun, isUnderWay }: ImportRowsProps) {
  const query = usePages({
    about: 'imports',
    document: ROWS,
    variables: { id: importId, outcome: outcome === 'all' ? null : outcome },
    pageOf: (data) => data.importRows,
    pollMs: isUnderWay ? POLL_MS : false,
  });
  const { imports } = t;
  const words = isDryRun ? imports.outcomesDry : imports.outcomes;
  const rows = query.rows.map((row, index) => ({ ...row, index }));
  return (
    <Card isFlush>
      <RecordTable
        label={imports.counts}
        rows={rows}
        keyOf={({ index }) => String(index)}
        query={query}
        empty={<EmptyState title={imports.noRows} />}
        columns={[
          { title: imports.line, isNumber: true, cell: ({ row }) => formatExact(row) },
          { title: imports.outcome, cell: (row) => words[row.outcome] },
          {
            title: imports.column,
            isWords: true,
            cell: ({ column, message }) => (column ? <code>{column}</code> : message ? imports.wholeRow : '–'),
          },
          { title: imports.message, cell: ({ message }) => <span lang="en">{message ?? '–'}</span> },
          {
            title: imports.link,
            cell: ({ linkId }) =>
              linkId ? (
                <Link to="/links/$linkId" params={{ linkId }}>
                  {imports.openLink}
                </Link>
              ) : (
                '–'
              ),
          },
        ]}
      />
    </Card>
  );
}
