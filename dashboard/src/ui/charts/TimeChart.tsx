import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { IconMinus, IconPlus, IconTable } from '../icons.ts';
import { Drawing } from './Drawing.tsx';
import { SeriesTable } from './SeriesTable.tsx';
import { type Series, type Span, spanOf } from './series.ts';
import styles from './TimeChart.module.css';
import { bucketName } from './timeAxis.ts';

interface TimeChartProps {
  series: Series;
  /** What is counted. */
  what: string;
  onZoom: (span: Span) => void;
  onZoomOut: () => void;
  /** What else can be chosen for the chart. */
  choices?: ReactNode;
}

/** Fewer buckets would leave nothing to see. */
const FEWEST_TO_ZOOM = 4;

/** Figures over time as an area, with the period before as a dashed line, and the same as a table. */
export function TimeChart({ series, what, onZoom, onZoomOut, choices }: TimeChartProps) {
  const [isTable, setIsTable] = useState(false);
  const { points } = series;
  const total = points.reduce((sum, { value }) => sum + value, 0);
  const [first, last] = [points[0], points.at(-1)];
  const summary =
    first && last
      ? t.analytics.chart.summary(what, formatExact(total), bucketName(series, first), bucketName(series, last))
      : t.analytics.empty;
  const zoomIn = () => {
    const quarter = Math.floor(points.length / 4);
    onZoom(spanOf(series, quarter, points.length - 1 - quarter));
  };
  return (
    <figure className={styles.figure}>
      <div className={styles.head}>
        <figcaption className={styles.summary}>{summary}</figcaption>
        <Group gap={6}>
          {choices}
          <Zoom label={t.analytics.chart.zoomOut} onClick={onZoomOut} icon={IconMinus} />
          <Zoom
            label={t.analytics.chart.zoomIn}
            onClick={zoomIn}
            icon={IconPlus}
            isDisabled={points.length < FEWEST_TO_ZOOM || series.granularity === 'minute'}
          />
          <Button
            variant="subtle"
            size="compact-sm"
            aria-pressed={isTable}
            leftSection={<IconTable size={14} />}
            onClick={() => setIsTable(!isTable)}
          >
            {t.common.table}
          </Button>
        </Group>
      </div>
      {isTable ? (
        <SeriesTable series={series} what={what} />
      ) : (
        <>
          <Drawing series={series} what={what} onZoom={onZoom} />
          <Legend series={series} what={what} />
        </>
      )}
    </figure>
  );
}

interface ZoomProps {
  label: string;
  onClick: () => void;
  icon: typeof IconPlus;
  isDisabled?: boolean;
}

function Zoom({ label, onClick, icon: Icon, isDisabled = false }: ZoomProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" size={28} aria-label={label} disabled={isDisabled} onClick={onClick}>
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}

/** What the lines and patterns are: they differ by their strokes, not by colour alone. */
function Legend({ series, what }: { series: Series; what: string }) {
  const { chart } = t.analytics;
  const keys = [
    { kind: 'now', name: what },
    ...(series.before ? [{ kind: 'before', name: chart.before }] : []),
    ...(series.isFirstPartial || series.isLastPartial ? [{ kind: 'open', name: chart.partial }] : []),
    ...(series.mark ? [{ kind: 'mark', name: chart.mark }] : []),
  ];
  return (
    <ul className={styles.legend}>
      {keys.map(({ kind, name }) => (
        <li key={kind}>
          <span className={styles.key} data-kind={kind} aria-hidden /> {name}
        </li>
      ))}
    </ul>
  );
}
