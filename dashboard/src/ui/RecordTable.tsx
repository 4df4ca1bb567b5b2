import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../texts/index.ts';
import styles from './RecordTable.module.css';
import { ErrorState, ErrorText, LoadingRows } from './states.tsx';

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ReactNode;
  isNumber?: boolean;
  /** What people call the row by: it gets room before sentences do. */
  isName?: boolean;
  /** It holds words of ours alone, in this row or in all, which need not be broken to fit. */
  isWords?: boolean | ((row: Row) => boolean);
}

interface RecordTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Of the query behind the rows. */
  query: {
    isPending: boolean;
    error: Error | null;
    refetch: () => unknown;
    hasNextPage?: boolean;
    isFetchingNextPage?: boolean;
    fetchNextPage?: () => unknown;
  };
  /** Shown where there are no rows. */
  empty: ReactNode;
}

/** A table of some dozens of rows, which become cards on a phone, with a button for more. */
export function RecordTable<Row>({ label, columns, rows, keyOf, query, empty }: RecordTableProps<Row>) {
  if (query.isPending) {
    return (
      <div className={styles.padded}>
        <LoadingRows rows={4} />
      </div>
    );
  }
  if (query.error && rows.length === 0) return <ErrorState error={query.error} retry={query.refetch} />;
  // Further pages may have some.
  if (rows.length === 0 && !query.hasNextPage) return <>{empty}</>;
  return (
    <>
      <table className={styles.table} aria-label={label}>
        <thead>
          <tr>
            {columns.map(({ title, isNumber }) => (
              <th key={title} scope="col" data-number={isNumber || undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ title, cell, isNumber, isName, isWords }) => (
                <td
                  key={title}
                  data-title={title}
                  data-number={isNumber || undefined}
                  data-name={isName || undefined}
                  data-words={(typeof isWords === 'function' ? isWords(row) : isWords) || undefined}
                >
                  {/* One item of the grid that a cell is on a phone, whatever it holds. */}
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {query.error ? (
        <div className={styles.padded} role="alert">
          <ErrorText error={query.error} />
        </div>
      ) : null}
      {query.hasNextPage ? (
        <div className={styles.more}>
          <Button variant="default" loading={query.isFetchingNextPage} onClick={() => query.fetchNextPage?.()}>
            {t.common.showMore}
          </Button>
        </div>
      ) : null}
    </>
  );
}
