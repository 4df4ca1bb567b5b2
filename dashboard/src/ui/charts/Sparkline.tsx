import { memo } from 'react';
import styles from './Sparkline.module.css';

interface SparklineProps {
  counts: readonly number[];
  /** What the curve says, in words. */
  label: string;
}

const WIDTH = 64;
const HEIGHT = 20;
/** Half of the line stays inside. */
const EDGE = 1;

/** A small curve without axes, for a row of a list. Its only text is its label. */
export const Sparkline = memo(function Sparkline({ counts, label }: SparklineProps) {
  const line = lineOf(counts);
  return (
    <svg className={styles.sparkline} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <path className={styles.area} d={`${line}V${HEIGHT}H${EDGE}Z`} />
      <path className={styles.line} d={line} />
    </svg>
  );
});

function lineOf(counts: readonly number[]): string {
  const most = Math.max(1, ...counts);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, counts.length - 1);
  const points = counts.map((count, index) => {
    const y = HEIGHT - EDGE - (count / most) * (HEIGHT - 2 * EDGE);
    return `${(EDGE + index * step).toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M${points.join('L')}`;
}
