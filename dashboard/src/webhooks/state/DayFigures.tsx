import { formatExact, formatShare } from '../../kernel/numbers.ts';
import { formatMoment } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import styles from './state.module.css';
import type { WebhookStats } from './webhookState.ts';

const BAR = 4;
const GAP = 1;
const HEIGHT = 24;

/** The deliveries of a day: a bar for each hour, and the same in words. */
export function DayFigures({ stats }: { stats: WebhookStats }) {
  const { succeeded, failed, buckets } = stats;
  const all = succeeded + failed;
  const { webhooks } = t;
  if (all === 0)
    return <span className={styles.figures}>{stats.pending > 0 ? webhooks.noneFinished : webhooks.noDeliveries}</span>;
  const most = Math.max(...buckets.map((bucket) => bucket.succeeded + bucket.failed));
  const worst = buckets.toSorted((one, other) => other.failed - one.failed)[0];
  const label =
    webhooks.bars(formatExact(succeeded), formatExact(failed)) +
    (failed > 0 && worst ? webhooks.barsWorst(formatMoment(worst.start)) : '');
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (HEIGHT * count) / most));
  return (
    <div className={styles.figures}>
      <svg className={styles.bars} role="img" aria-label={label} width={buckets.length * (BAR + GAP)} height={HEIGHT}>
        {buckets.map((bucket, at) => {
          const [bad, good] = [heightOf(bucket.failed), heightOf(bucket.succeeded)];
          const place = { x: at * (BAR + GAP), width: BAR };
          return (
            <g key={bucket.start}>
              {bad + good === 0 ? <rect data-kind="none" {...place} y={HEIGHT - 1} height={1} /> : null}
              <rect data-kind="succeeded" {...place} y={HEIGHT - good} height={good} />
              <rect data-kind="failed" {...place} y={Math.max(0, HEIGHT - good - bad)} height={bad} />
            </g>
          );
        })}
      </svg>
      <span>
        {webhooks.share(formatShare(succeeded / all))}
        {failed > 0 ? ` · ${webhooks.failedCount(formatExact(failed))}` : null}
      </span>
    </div>
  );
}
