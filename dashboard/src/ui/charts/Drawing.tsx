import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { frameOf, Plot } from './Plot.tsx';
import { isPartial, type Series, type Span, spanOf } from './series.ts';
import styles from './TimeChart.module.css';
import { bucketName } from './timeAxis.ts';
import { useWidth } from './useWidth.ts';

interface DrawingProps {
  series: Series;
  what: string;
  onZoom: (span: Span) => void;
}

/** The chart as it is operated: its figures are read by pointer or arrow keys, and a part of it is chosen by dragging or `[` and `]`. */
export function Drawing({ series, what, onZoom }: DrawingProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const [read, setRead] = useState<number | null>(null);
  const [chosenFrom, setChosenFrom] = useState<number | null>(null);
  const [isDragging, setIsDragging] = useState(false);
  const last = series.points.length - 1;
  const forget = () => {
    setRead(null);
    setChosenFrom(null);
    setIsDragging(false);
  };
  const zoom = (from: number, to: number) => {
    forget();
    onZoom(spanOf(series, from, to));
  };
  const step = (by: number) => setRead((at) => Math.min(Math.max((at ?? (by > 0 ? -1 : last + 1)) + by, 0), last));
  const keys: Record<string, () => void> = {
    ArrowRight: () => step(1),
    ArrowLeft: () => step(-1),
    Home: () => setRead(0),
    End: () => setRead(last),
    '[': () => setChosenFrom(read ?? 0),
    ']': () => zoom(chosenFrom ?? 0, read ?? last),
    Enter: () => read !== null && zoom(chosenFrom ?? read, read),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isUsed = read !== null || chosenFrom !== null;
    const act = event.key === 'Escape' && isUsed ? forget : keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    act();
    // Elsewhere on the page these keys move the range and clear its filters.
    event.preventDefault();
    event.stopPropagation();
  };
  const indexAt = ({ clientX, currentTarget }: PointerEvent) =>
    frameOf(series, width).indexAt(clientX - currentTarget.getBoundingClientRect().left);
  const onPointerUp = (event: PointerEvent) => {
    const at = indexAt(event);
    if (isDragging && chosenFrom !== null && at !== chosenFrom) zoom(chosenFrom, at);
    else if (isDragging) {
      setIsDragging(false);
      setChosenFrom(null);
    }
  };
  return (
    <div
      ref={ref}
      className={styles.drawing}
      role="application"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read its figures
      tabIndex={0}
      aria-label={`${what}. ${t.analytics.chart.keys}`}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setChosenFrom(indexAt(event));
        setIsDragging(true);
      }}
      onPointerMove={(event) => setRead(indexAt(event))}
      onPointerUp={onPointerUp}
      onPointerCancel={forget}
      onPointerLeave={() => (isDragging ? undefined : forget())}
      onBlur={forget}
    >
      {width > 0 ? <Plot series={series} width={width} read={read} chosenFrom={chosenFrom} /> : null}
      <Reading series={series} read={read} chosenFrom={chosenFrom} what={what} width={width} />
    </div>
  );
}

interface ReadingProps {
  series: Series;
  read: number | null;
  chosenFrom: number | null;
  what: string;
  width: number;
}

/** The figure at the cursor, told to screen readers too. */
function Reading({ series, read, chosenFrom, what, width }: ReadingProps) {
  const point = read === null ? undefined : series.points[read];
  const earlier = read === null ? undefined : series.before?.[read];
  const from = chosenFrom === null ? undefined : series.points[chosenFrom];
  const x = read === null ? 0 : frameOf(series, width).centerOf(read);
  return (
    <div
      role="status"
      className={styles.reading}
      hidden={!point}
      style={{ left: Math.min(Math.max(x - 80, 0), Math.max(width - 190, 0)) }}
    >
      {point && read !== null ? (
        <>
          <b>{bucketName(series, point)}</b>
          <span>
            {what}: {formatExact(point.value)}
          </span>
          {earlier ? (
            <span>
              {bucketName(series, earlier)}: {formatExact(earlier.value)}
            </span>
          ) : null}
          {isPartial(series, read) ? <span>{t.analytics.chart.unfinished}</span> : null}
          {from ? <span>{t.analytics.chart.chosenFrom(bucketName(series, from))}</span> : null}
        </>
      ) : null}
    </div>
  );
}
