import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatExact } from '../../kernel/numbers.ts';
import { formatDay } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneAlert } from '../AlertPage.tsx';
import { projectOfKeys } from '../alertCells.tsx';
import { numberIn, rowsIn, textIn } from '../alerts.ts';

/** The domain, and what it was used for. */
export function DomainDetails({ alert: { details } }: { alert: OneAlert }) {
  const texts = t.watch.alert.domain;
  const id = textIn(details, 'domain_id');
  const use = textIn(details, 'domain_kind');
  const status = textIn(details, 'status') as keyof typeof LOOKS.domain | null;
  const look = status && LOOKS.domain[status];
  return (
    <Card
      title={t.watch.alert.details}
      actions={
        id ? (
          <Link to="/domains/$domainId" params={{ domainId: id }}>
            {texts.open}
          </Link>
        ) : null
      }
    >
      <Facts
        facts={[
          { name: texts.hostname, value: textIn(details, 'hostname') },
          { name: texts.use, value: use && (texts.uses[use] ?? use) },
          { name: texts.now, value: look ? <StateChip look={look}>{t.states.domain[status]}</StateChip> : status },
        ]}
      />
    </Card>
  );
}

/** The keys that may be in wrong hands. */
export function SecurityDetails({ alert }: { alert: OneAlert }) {
  const texts = t.watch.alert.security;
  const keys = rowsIn(alert.details, 'keys').map((key) => ({
    id: textIn(key, 'id') ?? '',
    name: textIn(key, 'name'),
    lastFour: textIn(key, 'last_four'),
    project: textIn(key, 'project_id'),
    expiresAt: textIn(key, 'expires_at'),
  }));
  return (
    <Card
      title={texts.keys}
      isFlush
      actions={
        <Group gap={16}>
          <Link to="/api" search={projectOfKeys(alert)}>
            {texts.open}
          </Link>
          <Link to="/team/audit" search={{ team: alert.teamId }}>
            {texts.audit}
          </Link>
        </Group>
      }
    >
      <RecordTable
        label={texts.keys}
        rows={keys}
        keyOf={({ id }) => id}
        query={{ isPending: false, error: null, refetch: () => {} }}
        empty={<EmptyState title={t.common.none} />}
        columns={[
          {
            title: texts.columns.name,
            cell: ({ name, project }) => (
              <Link to="/api" search={project ? { project } : {}}>
                {name}
              </Link>
            ),
          },
          { title: texts.columns.key, cell: ({ lastFour }) => <code>…{lastFour}</code> },
          {
            title: texts.columns.expires,
            cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} /> : texts.never),
          },
        ]}
      />
    </Card>
  );
}

/** The limit that is almost used up. */
export function BillingDetails({ alert: { details } }: { alert: OneAlert }) {
  const texts = t.watch.alert.billing;
  const what = textIn(details, 'of');
  const limit = numberIn(details, 'limit');
  const day = textIn(details, 'day');
  return (
    <Card
      title={t.watch.alert.details}
      actions={
        <Group gap={16}>
          <Link to="/apps/installs">{texts.installs}</Link>
          <Link to="/api">{texts.keys}</Link>
        </Group>
      }
    >
      <Facts
        facts={[
          { name: texts.what, value: what && (texts.whats[what] ?? what) },
          { name: texts.limit, value: limit === null ? null : formatExact(limit) },
          { name: texts.day, value: day && formatDay(day) },
        ]}
      />
    </Card>
  );
}
