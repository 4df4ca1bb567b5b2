import { useEffect, useRef } from 'react';
import { t } from '../texts/index.ts';
import { type LinkFilters, sortVariables } from './filters.ts';
import styles from './LinkTable.module.css';
import type { ColumnName } from './listLook.ts';
import type { Selecting } from './selection.ts';

interface LinkTableHeadProps {
  /** Rows that are loaded. */
  count: number;
  selecting: Selecting;
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
}

type Sort = ReturnType<typeof sortVariables>['sort'];

/** The heads of the columns: one selects what is loaded, three change the order. */
export function LinkTableHead({ count, selecting, filters, setFilters }: LinkTableHeadProps) {
  const { columns } = t.links;
  const { sort, order } = sortVariables(filters);
  const head = (column: ColumnName, label: string, sorts?: NonNullable<Sort>) => (
    <span
      role="columnheader"
      data-column={column}
      {...(sorts === sort ? { 'aria-sort': order === 'asc' ? 'ascending' : 'descending' } : {})}
    >
      {sorts ? (
        <button
          type="button"
          className={styles.sort}
          onClick={() => setFilters({ sort: sorts, order: sorts === sort && order === 'desc' ? 'asc' : 'desc' })}
        >
          {label}
          {sorts === sort ? <span aria-hidden> {order === 'asc' ? '↑' : '↓'}</span> : null}
        </button>
      ) : (
        label
      )}
    </span>
  );
  return (
    <div role="row" aria-rowindex={1} className={styles.head}>
      <span role="columnheader" className={styles.check}>
        <span className="visually-hidden">{columns.select}</span>
        <SelectLoaded count={count} selecting={selecting} />
      </span>
      <span role="columnheader">{columns.link}</span>
      {head('state', columns.state)}
      {head('tags', columns.tags)}
      {head('clicks', columns.clicks, 'clicks')}
      {head('last', columns.lastClick, 'last_clicked_at')}
      {head('created', columns.created, 'created_at')}
      <span role="columnheader">
        <span className="visually-hidden">{columns.menu}</span>
      </span>
    </div>
  );
}

function SelectLoaded({
  count,
  selecting: { selection, selectLoaded, clear },
}: Omit<LinkTableHeadProps, 'filters' | 'setFilters'>) {
  const ref = useRef<HTMLInputElement>(null);
  const isAll = selection.kind === 'all' || (count > 0 && selection.ids.size >= count);
  const isSome = !isAll && selection.kind === 'some' && selection.ids.size > 0;
  useEffect(() => {
    if (ref.current) ref.current.indeterminate = isSome;
  }, [isSome]);
  return (
    <input
      ref={ref}
      type="checkbox"
      aria-label={t.links.selectLoaded}
      checked={isAll}
      onChange={() => (isAll ? clear() : selectLoaded())}
    />
  );
}
