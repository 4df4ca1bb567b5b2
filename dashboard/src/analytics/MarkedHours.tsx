import { Skeleton } from '@mantine/core';
import { useEffect } from 'react';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import type { Span } from '../ui/charts/series.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { ErrorState } from '../ui/states.tsx';
import { HOURS } from './operations.ts';
import { type AnalyticsSearch, commonVariables, ownRange, widerRange } from './query.ts';
import { seriesOf } from './seriesOf.ts';

/** As high as a chart with its legend. */
const CHART_PX = 290;
const TimeChart = onDemand(() => import('../ui/charts/TimeChart.tsx').then(({ TimeChart }) => TimeChart), {
  fallback: <Skeleton height={CHART_PX} aria-busy="true" />,
});

interface MarkedHoursProps {
  projectId: string;
  search: AnalyticsSearch;
  /** What an alert is about. */
  mark: Span;
  /** The range that was asked for, for the page of analytics. */
  onZoom: (range: AnalyticsSearch) => void;
}

/** The clicks of a range hour by hour, with a part of it marked. */
export function MarkedHours({ projectId, search, mark, onZoom }: MarkedHoursProps) {
  const variables = commonVariables(projectId, search, {});
  const { data, error, refetch } = useAsk({ about: 'analytics', document: HOURS, variables });
  useEffect(TimeChart.preload, []);
  if (!data) return error ? <ErrorState error={error} retry={refetch} /> : <Skeleton height={CHART_PX} />;
  const { analytics } = data;
  return (
    <TimeChart
      series={seriesOf({ ...analytics, previousData: null }, mark)}
      what={t.analytics.events[variables.event]}
      onZoom={({ from, to }) => onZoom(ownRange(Date.parse(from), Math.min(Date.parse(to), Date.now())))}
      onZoomOut={() => onZoom(widerRange(analytics.start, analytics.end))}
    />
  );
}
