import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { formatExact } from '../kernel/numbers.ts';
import { useProject } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconAlert, IconCheck } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import type { SetupData } from './operations.ts';
import styles from './overview.module.css';

interface AttentionProps {
  query: { data: SetupData | undefined; error: Error | null; refetch: () => unknown };
}

/** Open alerts, failing checks, and webhooks that do not get through. */
export function Attention({ query: { data, error, refetch } }: AttentionProps) {
  return (
    <Card title={t.overview.attention.title}>
      {data ? <Alarms data={data} /> : error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows rows={2} />}
    </Card>
  );
}

function Alarms({ data }: { data: SetupData }) {
  const project = useProject();
  const { attention } = t.overview;
  const { critical, warning, info } = data.alertCounts;
  const open = critical + warning + info;
  const off = data.webhooks.data.filter(({ status }) => status === 'disabled');
  const held = data.webhooks.data.filter(({ status, circuit }) => status === 'enabled' && circuit === 'open');
  const isFailing = project?.health === 'failing';
  const isQuiet = open + off.length + held.length === 0 && !isFailing;
  return (
    <>
      {isQuiet ? (
        <p className={styles.quiet}>
          <IconCheck size={16} aria-hidden /> {attention.none}
        </p>
      ) : null}
      <ul className={styles.alerts}>
        {open > 0 ? (
          <Alarm>
            <Link to="/alerts">{attention.alerts(formatExact(open), open)}</Link>
          </Alarm>
        ) : null}
        {data.alerts.data.map(({ id, title, createdAt }) => (
          <li key={id} className={styles.alert}>
            <Link to="/alerts/$alertId" params={{ alertId: id }} lang="en">
              {title}
            </Link>{' '}
            <Time at={createdAt} />
          </li>
        ))}
        {isFailing ? (
          <Alarm>
            <Link to="/health">{attention.health}</Link>
          </Alarm>
        ) : null}
        {[...off, ...held].map(({ id, url, status }) => (
          <Alarm key={id}>
            <Link to="/webhooks/$webhookId" params={{ webhookId: id }}>
              {status === 'disabled' ? attention.off(url) : attention.held(url)}
            </Link>
          </Alarm>
        ))}
      </ul>
    </>
  );
}

function Alarm({ children }: { children: ReactNode }) {
  return (
    <li>
      <IconAlert size={16} aria-hidden />
      <span>{children}</span>
    </li>
  );
}
