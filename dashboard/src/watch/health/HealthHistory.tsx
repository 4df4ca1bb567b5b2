import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { timezone } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { IconTable } from '../../ui/icons.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { Time, useNow } from '../../ui/Time.tsx';
import styles from '../watch.module.css';
import { type Check, checkName } from './checks.ts';
import { DayStrip } from './DayStrip.tsx';
import { type HistoryEntry, historyDays } from './historyDays.ts';

const HISTORY = graphql(`
  query HealthHistory($projectId: ID!, $cursor: String) {
    healthHistory(projectId: $projectId, limit: 100, cursor: $cursor) {
      data {
        id
        name
        status
        message
        since
        until
      }
      nextCursor
    }
  }
`);

/** Of a hundred changes each. A check that fails and recovers all the time has more than anybody would read. */
const MOST_PAGES = 10;
const NOW_MS = 60_000;

interface HealthHistoryProps {
  projectId: string;
  checks: readonly Check[];
}

/** When each check failed in the last 30 days, as bars or as a table. */
export function HealthHistory({ projectId, checks }: HealthHistoryProps) {
  const [isTable, setIsTable] = useState(false);
  const now = useNow(NOW_MS);
  const query = usePages({
    about: 'health',
    document: HISTORY,
    variables: { projectId },
    pageOf: (data) => data.healthHistory,
  });
  const { rows, hasNextPage, isFetching, fetchNextPage, data, error } = query;
  const isWhole = !hasNextPage || (data?.pages.length ?? 0) >= MOST_PAGES;
  useEffect(() => {
    if (!isWhole && !isFetching && !error) void fetchNextPage();
  }, [isWhole, isFetching, error, fetchNextPage]);
  const { history } = t.watch;
  const problems = rows.filter(({ status }) => status === 'fail' || status === 'warn');
  return (
    <Card
      title={history.title}
      isFlush={isTable}
      actions={
        <Button
          variant="subtle"
          size="compact-sm"
          aria-pressed={isTable}
          leftSection={<IconTable size={14} />}
          onClick={() => setIsTable(!isTable)}
        >
          {t.common.table}
        </Button>
      }
    >
      {isTable ? (
        <RecordTable
          label={history.title}
          rows={problems}
          keyOf={({ id }) => id}
          query={{ ...query, hasNextPage: false }}
          empty={<EmptyState title={history.tableEmpty} />}
          columns={[
            { title: history.columns.check, cell: ({ name }) => checkName(name), isWords: true },
            {
              title: history.columns.state,
              cell: ({ status }) => <StateChip look={LOOKS.check[status]}>{t.states.check[status]}</StateChip>,
            },
            { title: history.columns.since, cell: ({ since }) => <Time at={since} /> },
            { title: history.columns.until, cell: ({ until }) => (until ? <Time at={until} /> : history.still) },
            { title: history.columns.finding, cell: ({ message }) => <span lang="en">{message}</span> },
          ]}
        />
      ) : query.isPending ? (
        <LoadingRows rows={4} />
      ) : error && rows.length === 0 ? (
        <ErrorState error={error} retry={query.refetch} />
      ) : (
        <>
          {error ? <ErrorState error={error} retry={() => void fetchNextPage()} /> : null}
          <p className={styles.about}>{history.about}</p>
          <ul className={styles.strips}>
            {checks.map((check) => (
              <DayStrip
                key={check.name}
                name={check.name}
                days={historyDays(entriesOf(check, rows), now, timezone())}
              />
            ))}
          </ul>
        </>
      )}
      {isWhole && hasNextPage ? <p className={styles.about}>{history.cut}</p> : null}
    </Card>
  );
}

/** What is known of a check. The state that it has now may have begun before all that was read. */
function entriesOf({ name, status, since }: Check, rows: readonly HistoryEntry[]): HistoryEntry[] {
  const mine = rows.filter((row) => row.name === name);
  const isKnown = since === null || mine.some(({ until }) => until === null);
  return isKnown ? mine : [{ name, status, since, until: null }, ...mine];
}
