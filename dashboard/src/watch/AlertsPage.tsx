import { Button } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProject, useTeam } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { AlertFilters, type AlertSearch, ANY_STATUS, filterOf } from './AlertFilters.tsx';
import { AlertActions, AlertState, concernOf, kindName, SeverityChip } from './alertCells.tsx';
import { ALERT_ROW, statusOf } from './alerts.ts';
import { useAcknowledgeAll } from './useAlertChanges.ts';
import { WatchTabs } from './WatchTabs.tsx';

const ALERTS = graphql(
  `
  query Alerts(
    $projectId: ID
    $teamId: ID
    $status: AlertStatus
    $severity: AlertSeverity
    $kind: AlertKind
    $cursor: String
  ) {
    alerts(
      projectId: $projectId
      teamId: $teamId
      status: $status
      severity: $severity
      kind: $kind
      cursor: $cursor
      limit: 25
    ) {
      data {
        ...AlertRow
      }
      nextCursor
    }
  }
`,
  [ALERT_ROW],
);

/** The alerts of the project, or all of a team where the address names one. */
export function AlertsPage() {
  const search: AlertSearch = useSearch({ from: '/shell/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const project = useProject();
  const team = useTeam();
  const teamId = search.team ?? (project ? null : (team?.id ?? null));
  const filter = filterOf(search);
  const status = useRef<HTMLSpanElement>(null);
  const query = usePages({
    about: 'alerts',
    document: ALERTS,
    variables: { projectId: teamId === null ? (project?.id ?? null) : null, teamId, ...filter },
    pageOf: (data) => data.alerts,
  });
  const goTo = (changed: AlertSearch) =>
    void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true });
  const showAll = () => goTo({ status: ANY_STATUS, severity: undefined, kind: undefined });
  // Its button is gone with the row.
  const focusStatus = () => status.current?.focus();
  const { rows } = query;
  const all = useAcknowledgeAll(focusStatus);
  const open = rows.filter((alert) => statusOf(alert) === 'open');
  const { alerts } = t.watch;
  const { columns } = alerts;
  const isAll = filter.status === null && filter.severity === null && filter.kind === null;
  return (
    <Page
      title={alerts.title}
      about={alerts.about}
      actions={
        <Link to="/account/mail" search={{ team: teamId ?? project?.teamId }}>
          {alerts.mail}
        </Link>
      }
    >
      <WatchTabs current="alerts" />
      <Card>
        <AlertFilters search={search} teamId={teamId} onChange={goTo} />
      </Card>
      <Card
        title={
          <span ref={status} role="status" tabIndex={-1}>
            {query.isSuccess && rows.length > 0 ? alerts.shown(rows.length, query.hasNextPage) : alerts.title}
          </span>
        }
        actions={
          open.length > 1 ? (
            <GuardedButton
              scope="alerts:write"
              variant="default"
              loading={all.isPending}
              title={alerts.acknowledgeAbout}
              onClick={() => void all.acknowledgeAll(open.map(({ id }) => id))}
            >
              {alerts.acknowledgeAll(open.length)}
            </GuardedButton>
          ) : null
        }
        isFlush
      >
        <RecordTable
          label={alerts.label}
          rows={rows}
          keyOf={({ id }) => id}
          query={query}
          empty={
            isAll ? (
              <EmptyState title={alerts.empty} body={alerts.emptyBody} />
            ) : (
              <EmptyState
                title={
                  filter.severity || filter.kind || filter.status !== 'open' ? alerts.nothingFound : alerts.emptyOpen
                }
                body={filter.severity || filter.kind ? null : alerts.emptyBody}
                actions={
                  <Button variant="default" onClick={showAll}>
                    {alerts.showAll}
                  </Button>
                }
              />
            )
          }
          columns={[
            {
              title: columns.alert,
              cell: ({ id, title, severity, kind }) => (
                <>
                  <Link to="/alerts/$alertId" params={{ alertId: id }} lang="en">
                    {title}
                  </Link>
                  <div>
                    <SeverityChip severity={severity} /> {kindName(kind)}
                  </div>
                </>
              ),
            },
            { title: columns.about, cell: concernOf },
            { title: columns.raised, cell: ({ createdAt }) => <Time at={createdAt} /> },
            { title: columns.state, cell: (alert) => <AlertState alert={alert} /> },
            { title: columns.actions, cell: (alert) => <AlertActions alert={alert} onDone={focusStatus} /> },
          ]}
        />
      </Card>
    </Page>
  );
}
