import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { formatRelative } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { ErrorText, LoadingRows } from '../ui/states.tsx';
import { useNow } from '../ui/Time.tsx';

const NEWEST_ALERTS = graphql(`
  query NewestAlerts($teamId: ID!) {
    alerts(teamId: $teamId, status: open, limit: 5) {
      data {
        id
        severity
        title
        createdAt
      }
    }
  }
`);

const NOW_MS = 30_000;

/** The newest open alerts of a team. */
export function BellMenu({ teamId }: { teamId: string }) {
  const { data, error } = useAsk({
    about: 'alerts',
    document: NEWEST_ALERTS,
    variables: { teamId },
    keepsEarlier: false,
  });
  const now = useNow(NOW_MS);
  const { bell } = t.shell;
  return (
    <>
      {data ? null : error ? <ErrorText error={error} /> : <LoadingRows rows={3} height={36} />}
      {data?.alerts.data.length === 0 ? <Menu.Label>{bell.none}</Menu.Label> : null}
      {data?.alerts.data.map(({ id, severity, title, createdAt }) => (
        <Menu.Item key={id} renderRoot={(props) => <Link to="/alerts/$alertId" params={{ alertId: id }} {...props} />}>
          <span lang="en">{title}</span>
          <br />
          <StateChip look={LOOKS.severity[severity]}>{t.states.severity[severity]}</StateChip>{' '}
          {formatRelative(createdAt, now)}
        </Menu.Item>
      ))}
      <Menu.Divider />
    </>
  );
}
