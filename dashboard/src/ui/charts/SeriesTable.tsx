import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { isPartial, type Series } from './series.ts';
import styles from './TimeChart.module.css';
import { bucketName } from './timeAxis.ts';

/** The same figures as the chart. */
export function SeriesTable({ series, what }: { series: Series; what: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what is cut off
    <section className={styles.tableFrame} tabIndex={0} aria-label={what}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t.analytics.chart.time}</th>
            <th scope="col">{what}</th>
            {series.before ? <th scope="col">{t.analytics.chart.before}</th> : null}
          </tr>
        </thead>
        <tbody>
          {series.points.map((point, index) => (
            <tr key={point.at}>
              <th scope="row">
                {bucketName(series, point)}
                {isPartial(series, index) ? ` (${t.analytics.chart.unfinished})` : null}
              </th>
              <td>{formatExact(point.value)}</td>
              {series.before ? <td>{formatExact(series.before[index]?.value ?? 0)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
