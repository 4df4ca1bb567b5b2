import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconRefresh } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { Time, useNow } from '../ui/Time.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import { ChecksTable } from './health/ChecksTable.tsx';
import { HEALTH } from './health/checks.ts';
import { HealthHistory } from './health/HealthHistory.tsx';
import { WatchTabs } from './WatchTabs.tsx';

const RUN_CHECKS = graphql(`
  mutation RunHealthChecks($projectId: ID!) {
    runHealthChecks(projectId: $projectId) {
      checkedAt
    }
  }
`);

const POLL_MS = 3_000;

/** What is checked, what was found, and what to do about it. */
export function HealthPage() {
  const projectId = useProjectId();
  const { check } = useSearch({ from: '/shell/health' });
  const run = useRun(projectId);
  const query = useAsk({
    about: 'health',
    document: HEALTH,
    variables: { projectId },
    pollMs: (known) => (run.isRunning(known?.health.checkedAt ?? null) ? POLL_MS : false),
  });
  const health = query.data?.health;
  const checkedAt = health?.checkedAt ?? null;
  const isRunning = run.isRunning(checkedAt);
  const button = (
    <GuardedButton
      scope="health:write"
      leftSection={<IconRefresh size={16} />}
      loading={isRunning}
      onClick={() => run.start(checkedAt)}
    >
      {t.watch.run.action}
    </GuardedButton>
  );
  return (
    <Page title={t.watch.title} about={t.watch.about} actions={button}>
      <WatchTabs current="health" />
      <span role="status" className="visually-hidden">
        {isRunning ? t.watch.run.running : ''}
      </span>
      {health ? (
        <>
          <Card
            title={
              <>
                {t.watch.checks.label}{' '}
                <StateChip look={LOOKS.health[health.status]}>{t.states.health[health.status]}</StateChip>
              </>
            }
            actions={
              checkedAt ? (
                <span>
                  {t.watch.run.last} <Time at={checkedAt} />
                </span>
              ) : null
            }
            isFlush
          >
            {checkedAt === null ? (
              <EmptyState title={t.watch.checks.unknownTitle} body={t.watch.checks.unknownBody} />
            ) : (
              <ChecksTable checks={health.checks} query={query} marked={check} />
            )}
          </Card>
          {checkedAt === null ? null : <HealthHistory projectId={projectId} checks={health.checks} />}
        </>
      ) : (
        <Card>{query.error ? <ErrorState error={query.error} retry={query.refetch} /> : <LoadingRows rows={8} />}</Card>
      )}
    </Page>
  );
}

/** How long a run is waited for after its answer was lost: longer than any run takes. */
const LOST_MS = 60_000;
const TICK_MS = 5_000;

/** Starts a run. It goes on when its answer is lost on the way: then its result is looked for. */
function useRun(projectId: string) {
  const [lost, setLost] = useState<{ before: string | null; until: number } | null>(null);
  const now = useNow(TICK_MS);
  const change = useChange({
    document: RUN_CHECKS,
    touches: ['health', 'alerts', 'session', 'setup'],
    onDone: () => toast(t.watch.run.done),
  });
  return {
    /** Whether the result of a run is still to come, where the last known one ended at `checkedAt`. */
    isRunning: (checkedAt: string | null) =>
      change.isPending || (lost !== null && lost.before === checkedAt && now < lost.until),
    start: (before: string | null) => {
      setLost(null);
      change.mutate(
        { projectId },
        {
          onError: (error) => {
            if (codeOf(error) === 'unreachable') setLost({ before, until: Date.now() + LOST_MS });
            else toastError(error);
          },
        },
      );
    },
  };
}
