import { Link } from '@tanstack/react-router';
import { withoutScheme } from '../kernel/addresses.ts';
import { formatChange, formatCount, formatExact } from '../kernel/numbers.ts';
import { formatSpan } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { Card } from '../ui/Page.tsx';
import { Time } from '../ui/Time.tsx';
import type { OverviewData } from './operations.ts';
import styles from './overview.module.css';

/** Clicks and visitors of the week, against the week before. */
export function Figures({ week }: Pick<OverviewData, 'week'>) {
  const { figures } = t.overview;
  const { previousStart, previousEnd, timezone } = week;
  const dates = previousStart && previousEnd ? formatSpan(previousStart, previousEnd, timezone) : '';
  const rows = [
    [figures.clicks, week.total.count, week.previous?.count ?? 0],
    [figures.visitors, week.total.unique, week.previous?.unique ?? 0],
  ] as const;
  return (
    <dl className={styles.figures}>
      {rows.map(([name, now, before]) => {
        const change = formatChange(now, before);
        return (
          <div key={name} className={styles.figure}>
            <dt>
              {name} <span className={styles.soft}>{figures.days}</span>
            </dt>
            <dd>
              <span className={styles.number} title={formatExact(now)}>
                {formatCount(now)}
              </span>
              <span className={styles.soft}>
                {change === null ? figures.noBefore(dates) : figures.before(change, dates)}
              </span>
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function TopLinks({ week }: Pick<OverviewData, 'week'>) {
  return (
    <Card title={t.overview.top.title}>
      {week.data.length === 0 ? <p className={styles.soft}>{t.overview.top.empty}</p> : null}
      <ol className={styles.list}>
        {week.data.map(({ key, label, count }) => (
          <li key={key}>
            {key === null ? (
              t.common.unknown
            ) : (
              <Link to="/links/$linkId" params={{ linkId: key }}>
                {label ? withoutScheme(label) : key}
              </Link>
            )}
            <span className="tabular">{formatCount(count)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

export function NewestLinks({ links }: { links: OverviewData['links']['data'] }) {
  return (
    <Card title={t.overview.newest.title}>
      {links.length === 0 ? <p className={styles.soft}>{t.overview.newest.empty}</p> : null}
      <ol className={styles.list}>
        {links.map(({ id, shortUrl, title, destination, createdAt }) => (
          <li key={id} className={styles.newest}>
            <Link to="/links/$linkId" params={{ linkId: id }}>
              {withoutScheme(shortUrl)}
            </Link>
            <span className={styles.soft}>{title ?? destination}</span>
            <Time at={createdAt} />
          </li>
        ))}
      </ol>
    </Card>
  );
}
