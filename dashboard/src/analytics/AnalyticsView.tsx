import { Skeleton } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAsk } from '../kernel/queries.ts';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { formatMoment, formatSpan } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import type { Span } from '../ui/charts/series.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { ErrorState } from '../ui/states.tsx';
import { AnalyticsBar } from './AnalyticsBar.tsx';
import styles from './analytics.module.css';
import { Breakdowns, useBreakdowns } from './Breakdowns.tsx';
import { ChoiceMenu } from './ChoiceMenu.tsx';
import { Figures } from './Figures.tsx';
import { SERIES } from './operations.ts';
import {
  type AnalyticsSearch,
  commonVariables,
  comparesOf,
  filtersOf,
  granularitiesFor,
  granularityOf,
  intervalRange,
  markOf,
  movedRange,
  ownRange,
  widerRange,
} from './query.ts';
import { seriesOf } from './seriesOf.ts';

/** As high as a chart with its legend. */
const CHART_PX = 290;
const TimeChart = onDemand(() => import('../ui/charts/TimeChart.tsx').then(({ TimeChart }) => TimeChart), {
  fallback: <Skeleton height={CHART_PX} aria-busy="true" />,
});

interface AnalyticsViewProps {
  projectId: string;
  search: AnalyticsSearch;
  onSearch: (changed: AnalyticsSearch) => void;
  /** What stays as it is: the link, on its own page. */
  fixed?: AnalyticsSearch;
}

const REFRESH_MS = 60_000;
/** Whoever waits for the first click sees it in the figures too. */
const FIRST_CLICK_MS = 5_000;
/** How much older than the figures above them cards may be. */
const SAME_MS = 3_000;

/** Figures, their course and what they consist of; everything that can be chosen is in the address. */
export function AnalyticsView({ projectId, search, onSearch, fixed = {} }: AnalyticsViewProps) {
  const variables = commonVariables(projectId, search, fixed);
  const breakdowns = useBreakdowns(variables, fixed.link !== undefined);
  const series = useAsk({
    about: 'analytics',
    document: SERIES,
    variables: { ...variables, granularity: granularityOf(search), compare: comparesOf(search) },
    pollMs: (known) => (known?.analytics.total.count === 0 ? FIRST_CLICK_MS : REFRESH_MS),
  });
  const { data, error, refetch, isPlaceholderData } = series;
  useUpToDate(breakdowns, series);
  useEffect(TimeChart.preload, []);
  const answer = data?.analytics;
  const { zoomIn, zoomOut } = useZoom(search, answer, onSearch);
  const clear = () => onSearch(Object.fromEntries(filtersOf(search).map(({ dimension }) => [dimension, undefined])));
  useRangeKeys(answer, onSearch, clear);
  const what = t.analytics.events[variables.event];
  const chosen = answer?.granularity ?? granularityOf(search);
  const suiting = answer ? granularitiesFor(Date.parse(answer.end) - Date.parse(answer.start)) : [];
  return (
    <>
      <AnalyticsBar
        search={search}
        variables={variables}
        dates={answer ? formatSpan(answer.start, answer.end, answer.timezone) : null}
        counts={data ? countsOf(data.classes) : null}
        onSearch={onSearch}
        onClear={clear}
      />
      {data && answer ? (
        <div className={styles.stack} data-dimmed={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
          <AsOf moment={data.clicks.asOf ?? answer.asOf} />
          <Figures answer={data} />
          <Card title={t.analytics.chart.title(what)}>
            <TimeChart
              series={seriesOf(answer, markOf(search))}
              what={what}
              onZoom={zoomIn}
              onZoomOut={zoomOut}
              choices={
                <ChoiceMenu
                  label={t.analytics.granularity}
                  value={chosen}
                  choices={[...new Set([...suiting, chosen])].map((value) => ({
                    value,
                    name: t.analytics.granularities[value],
                  }))}
                  onChoose={(granularity) => onSearch({ granularity, group_by: undefined })}
                  isSmall
                />
              }
            />
          </Card>
        </div>
      ) : error ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <HeadSkeleton />
      )}
      <Breakdowns query={breakdowns} variables={variables} search={search} onSearch={onSearch} />
    </>
  );
}

type Series = UseQueryResult<{ analytics: Answered & { total: { count: number } } }>;

/** Asks for the cards again when the figures above them have changed since. */
function useUpToDate(
  { data, dataUpdatedAt, isPlaceholderData, refetch }: ReturnType<typeof useBreakdowns>,
  series: Series,
) {
  const isOutdated =
    !isPlaceholderData &&
    !series.isPlaceholderData &&
    series.dataUpdatedAt > dataUpdatedAt + SAME_MS &&
    data !== undefined &&
    data.analyticsBreakdowns[0]?.total.count !== series.data?.analytics.total.count;
  useEffect(() => {
    if (isOutdated) void refetch({ cancelRefetch: false });
  }, [isOutdated, refetch]);
}

type Answered = { start: string; end: string } | undefined;

/** Into a part of the range; and out again to what was shown before, or where that is not known to twice as much. */
function useZoom(search: AnalyticsSearch, answer: Answered, onSearch: AnalyticsViewProps['onSearch']) {
  const earlier = useRef<AnalyticsSearch[]>([]);
  const { interval, start, end, granularity, group_by } = search;
  return {
    zoomIn: ({ from, to }: Span) => {
      earlier.current.push({ interval, start, end, granularity, group_by });
      onSearch(ownRange(Date.parse(from), Math.min(Date.parse(to), Date.now())));
    },
    zoomOut: () => {
      const back = earlier.current.pop();
      if (back) onSearch(back);
      else if (answer) onSearch(widerRange(answer.start, answer.end));
    },
  };
}

function useRangeKeys(answer: Answered, onSearch: AnalyticsViewProps['onSearch'], clear: () => void): void {
  const move = (by: -1 | 1) => {
    const moved = answer && movedRange(answer.start, answer.end, by);
    if (moved) onSearch(moved);
  };
  const interval = (wanted: string) => () => onSearch(intervalRange(wanted));
  useShortcuts({
    ArrowLeft: () => move(-1),
    ArrowRight: () => move(1),
    1: interval('24h'),
    7: interval('7d'),
    3: interval('30d'),
    9: interval('90d'),
    y: interval('1y'),
    Escape: clear,
  });
}

function countsOf({ total, data }: { total: { count: number }; data: { key: string | null; count: number }[] }) {
  return new Map([['all', total.count], ...data.map(({ key, count }) => [key ?? '', count] as const)]);
}

/** Says until when the figures have every click, where newer ones wait to be counted. */
function AsOf({ moment }: { moment: string | null }) {
  if (moment === null) return null;
  return (
    <p className={styles.soft} role="status">
      {t.analytics.asOf(formatMoment(moment))}
    </p>
  );
}

/** As high as what will stand there. */
function HeadSkeleton() {
  return (
    <div className={styles.stack} aria-busy="true">
      <span role="status" className="visually-hidden">
        {t.common.loading}
      </span>
      <div className={styles.figures}>
        {['clicks', 'visitors', 'installs', 'events'].map((name) => (
          <Skeleton key={name} height={104} radius="md" />
        ))}
      </div>
      <Skeleton height={368} radius="md" />
    </div>
  );
}
