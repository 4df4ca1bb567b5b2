import { useEffect } from 'react';
import { t } from '../../texts/index.ts';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from '../watch.module.css';
import { Advice } from './Advice.tsx';
import { type Check, checkName } from './checks.ts';

interface ChecksTableProps {
  checks: readonly Check[];
  query: Parameters<typeof RecordTable>[0]['query'];
  /** The check that the address names. */
  marked: string | undefined;
}

/** Every check: what it looks at, what it found, and what to do about it. */
export function ChecksTable({ checks, query, marked }: ChecksTableProps) {
  const { columns, label, since, nothingToDo } = t.watch.checks;
  const isThere = checks.length > 0;
  useEffect(() => {
    if (isThere && marked) document.getElementById(rowId(marked))?.scrollIntoView({ block: 'center' });
  }, [isThere, marked]);
  return (
    <div className={styles.checks}>
      <RecordTable
        label={label}
        rows={checks}
        keyOf={({ name }) => name}
        query={query}
        empty={null}
        columns={[
          { title: columns.check, cell: ({ name }) => <Name name={name} isMarked={name === marked} />, isWords: true },
          {
            title: columns.state,
            cell: (check) => (
              <>
                <StateChip look={LOOKS.check[check.status]}>{t.states.check[check.status]}</StateChip>
                {check.since ? (
                  <div className={styles.since}>
                    {since} <Time at={check.since} />
                  </div>
                ) : null}
              </>
            ),
          },
          { title: columns.finding, cell: ({ message }) => <span lang="en">{message}</span> },
          {
            title: columns.advice,
            cell: ({ name, status }) =>
              status === 'fail' || status === 'warn' ? <Advice name={name} /> : <span>{nothingToDo}</span>,
            isWords: true,
          },
        ]}
      />
    </div>
  );
}

function rowId(name: string): string {
  return `check-${name}`;
}

function Name({ name, isMarked }: { name: string; isMarked: boolean }) {
  const about = t.watch.check[name as keyof typeof t.watch.check]?.about;
  return (
    <div id={rowId(name)} aria-current={isMarked || undefined}>
      <b>{checkName(name)}</b>
      {isMarked ? <span className="visually-hidden"> {t.watch.checks.marked}</span> : null}
      {about ? <div>{about}</div> : null}
    </div>
  );
}
