import { max } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import { useId } from 'react';
import { formatCount } from '../../kernel/numbers.ts';
import type { Series, SeriesPoint } from './series.ts';
import styles from './TimeChart.module.css';
import { timeTicks } from './timeAxis.ts';

const HEIGHT = 220;
const TOP = 12;
const BOTTOM = 24;
const LEFT = 44;
const RIGHT = 8;

/**
 * Where buckets stand. Each has a band of its own with its point in the middle, so that a day is as wide at the edges as elsewhere, and
 * an unfinished one does not look like a fall.
 */
export function frameOf({ points, end }: Series, width: number) {
  const count = Math.max(points.length, 1);
  const band = Math.max(width - LEFT - RIGHT, 1) / count;
  const edgeOf = (index: number) => LEFT + index * band;
  return {
    band,
    edgeOf,
    centerOf: (index: number) => edgeOf(index + 0.5),
    indexAt: (x: number) => Math.min(Math.max(Math.floor((x - LEFT) / band), 0), count - 1),
    /** Of a time, within its bucket too. */
    xAt: (time: string) => {
      const at = Date.parse(time);
      const after = points.findIndex((point) => Date.parse(point.at) > at);
      const index = (after < 0 ? points.length : after) - 1;
      if (index < 0) return edgeOf(0);
      const from = Date.parse(points[index]?.at ?? end);
      const to = Date.parse(points[index + 1]?.at ?? end);
      return edgeOf(index + Math.min(Math.max((at - from) / Math.max(to - from, 1), 0), 1));
    },
  };
}

interface PlotProps {
  series: Series;
  width: number;
  read: number | null;
  /** The other end of what is being chosen. */
  chosenFrom: number | null;
}

export function Plot({ series, width, read, chosenFrom }: PlotProps) {
  const hatch = useId();
  const { points, before, mark } = series;
  const { centerOf, edgeOf, xAt } = frameOf(series, width);
  const most = Math.max(max(points, ({ value }) => value) ?? 0, max(before ?? [], ({ value }) => value) ?? 0, 1);
  const y = scaleLinear([0, most], [HEIGHT - BOTTOM, TOP]).nice(4);
  const draw = (from: number, to: number, of: readonly SeriesPoint[] = points) =>
    line<SeriesPoint>(
      (_, index) => centerOf(from + index),
      ({ value }) => y(value),
    )(of.slice(from, to)) ?? '';
  const fill = area<SeriesPoint>(
    (_, index) => centerOf(index),
    HEIGHT - BOTTOM,
    ({ value }) => y(value),
  );
  const whole = { from: series.isFirstPartial ? 1 : 0, to: points.length - (series.isLastPartial ? 1 : 0) };
  const partial = [...(series.isFirstPartial ? [0] : []), ...(series.isLastPartial ? [points.length - 1] : [])];
  const point = read === null ? undefined : points[read];
  return (
    <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.svg}>
      <defs>
        <pattern id={hatch} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line x1="0" y1="0" x2="0" y2="6" className={styles.hatch} />
        </pattern>
      </defs>
      {y
        .ticks(4)
        .filter(Number.isInteger)
        .map((value) => (
          <g key={value}>
            <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} className={styles.grid} />
            <text x={LEFT - 8} y={y(value) + 4} textAnchor="end" className={styles.label}>
              {formatCount(value)}
            </text>
          </g>
        ))}
      {timeTicks(series, centerOf, width).map(({ index, label }) => (
        <text key={index} x={centerOf(index)} y={HEIGHT - 6} textAnchor="middle" className={styles.label}>
          {label}
        </text>
      ))}
      {mark ? <Band from={xAt(mark.from)} to={xAt(mark.to)} kind={styles.mark} /> : null}
      {partial.map((index) => (
        <Band key={index} from={edgeOf(index)} to={edgeOf(index + 1)} fill={`url(#${hatch})`} />
      ))}
      {read !== null && chosenFrom !== null ? (
        <Band
          from={edgeOf(Math.min(read, chosenFrom))}
          to={edgeOf(Math.max(read, chosenFrom) + 1)}
          kind={styles.chosen}
        />
      ) : null}
      <path d={fill(points) ?? ''} className={styles.area} />
      {before ? <path d={draw(0, points.length, before)} className={styles.before} /> : null}
      <path d={draw(whole.from, whole.to)} className={styles.line} />
      {series.isFirstPartial ? <path d={draw(0, 2)} className={styles.open} /> : null}
      {series.isLastPartial && points.length > 1 ? (
        <path d={draw(points.length - 2, points.length)} className={styles.open} />
      ) : null}
      {partial.map((index) => (
        <circle key={index} cx={centerOf(index)} cy={y(points[index]?.value ?? 0)} r={3} className={styles.hollow} />
      ))}
      {points.length === 1 && points[0] ? (
        <circle cx={centerOf(0)} cy={y(points[0].value)} r={4} className={styles.dot} />
      ) : null}
      {read !== null && point ? (
        <>
          <line x1={centerOf(read)} x2={centerOf(read)} y1={TOP} y2={HEIGHT - BOTTOM} className={styles.cursor} />
          <circle cx={centerOf(read)} cy={y(point.value)} r={4} className={styles.dot} />
        </>
      ) : null}
    </svg>
  );
}

function Band({ from, to, kind, fill }: { from: number; to: number; kind?: string; fill?: string }) {
  return (
    <rect x={from} y={TOP} width={Math.max(to - from, 1)} height={HEIGHT - BOTTOM - TOP} className={kind} fill={fill} />
  );
}
