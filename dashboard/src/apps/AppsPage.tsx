import { Skeleton, Stack } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import {
  type AnalyticsSearch,
  comparesOf,
  FigureList,
  RangeChoice,
  rangeOf,
  revenueFigures,
  ZoneChoice,
  zoneOf,
} from '../analytics/public.ts';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { formatSpan } from '../kernel/times.ts';
import { useProject, useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Page } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import styles from './apps.module.css';
import { INSTALL_CARDS, InstallCards } from './InstallCards.tsx';
import { NoApps } from './NoApps.tsx';

const AppSetup = onDemand(() => import('./AppSetup.tsx').then(({ AppSetup }) => AppSetup), {
  fallback: <LoadingRows rows={3} />,
});

/** The figures of the page with those of the period before, and what the installs consist of. */
const FIGURES = graphql(
  `
    query AppFigures(
      $projectId: ID!
      $interval: String
      $start: DateTimeISO
      $end: DateTimeISO
      $timezone: String
      $compare: Boolean
      $groupBys: [AnalyticsGroup!]!
    ) {
      installs: analytics(
        event: install
        projectId: $projectId
        interval: $interval
        start: $start
        end: $end
        timezone: $timezone
        compare: $compare
      ) {
        start
        end
        timezone
        previousStart
        previousEnd
        total {
          count
        }
        previous {
          count
        }
      }
      opens: analytics(
        event: open
        projectId: $projectId
        interval: $interval
        start: $start
        end: $end
        timezone: $timezone
        compare: $compare
      ) {
        total {
          count
        }
        previous {
          count
        }
      }
      events: analytics(
        event: app_event
        projectId: $projectId
        interval: $interval
        start: $start
        end: $end
        timezone: $timezone
        compare: $compare
      ) {
        total {
          count
          values
        }
        previous {
          count
          values
        }
      }
      analyticsBreakdowns(
        event: install
        groupBys: $groupBys
        limit: 10
        projectId: $projectId
        interval: $interval
        start: $start
        end: $end
        timezone: $timezone
      ) {
        ...InstallCards
      }
    }
  `,
  [INSTALL_CARDS],
);

type Answer = ResultOf<typeof FIGURES>;

const GROUP_BYS = ['link', 'app_version', 'match_method'] as const;

/** What the apps of the project report, and whether they are set up. */
export function AppsPage() {
  const projectId = useProjectId();
  const hasApps = (useProject()?.apps.length ?? 0) > 0;
  const search: AnalyticsSearch = useSearch({ from: '/shell/apps' });
  const navigate = useNavigate({ from: '/apps' });
  const range = rangeOf(search);
  const { data, error, refetch, isPlaceholderData } = useAsk({
    about: 'analytics',
    document: FIGURES,
    variables: {
      projectId,
      timezone: zoneOf(search),
      compare: comparesOf(search),
      groupBys: [...GROUP_BYS],
      ...range,
    },
  });
  const onSearch = ({ interval, start, end, timezone }: AnalyticsSearch) => {
    const zone = timezone === undefined ? search.timezone : timezone;
    void navigate({
      search: (earlier) => ({ ...earlier, interval, start, end, timezone: zone }),
      replace: true,
    });
  };
  return (
    <Page
      title={t.apps.title}
      about={t.apps.about}
      actions={
        <>
          <Link to="/apps/installs">{t.apps.installs.title}</Link>
          <Link to="/apps/simulator">{t.apps.simulator}</Link>
        </>
      }
    >
      {hasApps ? null : <NoApps />}
      {hasApps || (data && hasFigures(data)) ? (
        <>
          <div className={styles.bar}>
            <RangeChoice
              search={search}
              dates={data ? formatSpan(data.installs.start, data.installs.end, data.installs.timezone) : null}
              onSearch={onSearch}
            />
            <ZoneChoice search={search} onSearch={onSearch} />
          </div>
          {data ? (
            <Stack aria-busy={isPlaceholderData}>
              <Figures answer={data} search={search} />
              <InstallCards answers={data.analyticsBreakdowns} search={search} />
            </Stack>
          ) : error ? null : (
            <Skeleton height={104} radius="md" aria-busy="true" />
          )}
        </>
      ) : null}
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {hasApps ? <AppSetup projectId={projectId} /> : null}
    </Page>
  );
}

function hasFigures({ installs, opens, events }: Answer): boolean {
  return [installs, opens, events].some(({ total, previous }) => total.count + (previous?.count ?? 0) > 0);
}

function Figures({ answer: { installs, opens, events }, search }: { answer: Answer; search: AnalyticsSearch }) {
  const { figures } = t.apps;
  const figure = (name: string, { total, previous }: Pick<Answer['opens'], 'total' | 'previous'>) => ({
    name,
    now: total.count,
    before: previous?.count ?? null,
  });
  return (
    <FigureList
      search={search}
      period={installs}
      figures={[
        { ...figure(figures.installs, installs), event: 'install' },
        { ...figure(figures.opens, opens), event: 'open' },
        { ...figure(figures.events, events), event: 'app_event' },
        ...revenueFigures(events).map((one) => ({ ...one, event: 'app_event' as const })),
      ]}
    />
  );
}
