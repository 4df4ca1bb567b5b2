import { Link } from '@tanstack/react-router';
import { useAsk } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import type { OneAlert } from '../AlertPage.tsx';
import { rowsIn, textIn } from '../alerts.ts';
import { Advice } from '../health/Advice.tsx';
import { checkName, HEALTH } from '../health/checks.ts';

/** The checks that failed, what they say now, and what to do. */
export function HealthDetails({ alert: { projectId, details } }: { alert: OneAlert }) {
  const { health } = t.watch.alert;
  const { data, isLoading } = useAsk({
    about: 'health',
    document: HEALTH,
    variables: { projectId: projectId ?? '' },
    isEnabled: projectId !== null,
    keepsEarlier: false,
  });
  const failed = rowsIn(details, 'checks').map((check) => ({
    name: textIn(check, 'name') ?? '',
    message: textIn(check, 'message') ?? '',
    now: data?.health.checks.find(({ name }) => name === check.name)?.status,
  }));
  return (
    <Card
      title={health.title}
      isFlush
      actions={
        <Link to="/health" search={projectId ? { project: projectId } : {}}>
          {health.open}
        </Link>
      }
    >
      <RecordTable
        label={health.title}
        rows={failed}
        keyOf={({ name }) => name}
        query={{ isPending: false, error: null, refetch: () => {} }}
        empty={<EmptyState title={health.none} />}
        columns={[
          {
            title: health.columns.check,
            cell: ({ name }) => (
              <Link to="/health" search={{ check: name, ...(projectId ? { project: projectId } : {}) }}>
                {checkName(name)}
              </Link>
            ),
            isWords: true,
          },
          {
            title: health.now,
            cell: ({ now }) =>
              now ? (
                <StateChip look={LOOKS.check[now]}>{t.states.check[now]}</StateChip>
              ) : isLoading ? (
                '…'
              ) : (
                t.common.unknown
              ),
          },
          { title: health.columns.finding, cell: ({ message }) => <span lang="en">{message}</span> },
          {
            title: health.columns.advice,
            cell: ({ name }) => <Advice name={name} projectId={projectId} />,
            isWords: true,
          },
        ]}
      />
    </Card>
  );
}
