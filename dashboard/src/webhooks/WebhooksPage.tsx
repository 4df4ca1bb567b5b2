import { Link, useNavigate } from '@tanstack/react-router';
import { shortAddress } from '../kernel/addresses.ts';
import { graphql, readFragment } from '../kernel/graphql.ts';
import { usePages } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconPlus } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { EmptyState } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { WebhookState } from './state/chips.tsx';
import { DayFigures } from './state/DayFigures.tsx';
import { ScopeText } from './state/ScopeText.tsx';
import { TypesText } from './state/TypesText.tsx';
import { WEBHOOK_FIGURES, WEBHOOK_SUMMARY } from './state/webhookState.ts';

const WEBHOOKS = graphql(
  `
    query Webhooks($projectId: ID!, $cursor: String) {
      webhooks(projectId: $projectId, includesTeamWide: true, cursor: $cursor, limit: 50) {
        data {
          ...WebhookSummary
          ...WebhookFigures
        }
        nextCursor
      }
    }
  `,
  [WEBHOOK_SUMMARY, WEBHOOK_FIGURES],
);

const POLL_MS = 30_000;

export function WebhooksPage() {
  const projectId = useProjectId();
  const query = usePages({
    about: 'webhooks',
    document: WEBHOOKS,
    variables: { projectId },
    pageOf: (data) => data.webhooks,
    pollMs: POLL_MS,
  });
  const rows = query.rows.map((row) => ({
    ...readFragment(WEBHOOK_SUMMARY, row),
    ...readFragment(WEBHOOK_FIGURES, row),
  }));
  const { columns } = t.webhooks;
  return (
    <Page
      title={t.webhooks.title}
      about={t.webhooks.about}
      actions={
        <>
          <Link to="/webhooks/events">{t.webhooks.events.title}</Link>
          <NewButton />
        </>
      }
    >
      <Card isFlush>
        <RecordTable
          label={t.webhooks.title}
          rows={rows}
          keyOf={({ id }) => id}
          query={query}
          empty={<EmptyState title={t.webhooks.empty} actions={<NewButton />} />}
          columns={[
            {
              title: columns.url,
              cell: ({ id, url, description }) => (
                <>
                  <Link to="/webhooks/$webhookId/deliveries" params={{ webhookId: id }}>
                    {shortAddress(url)}
                  </Link>
                  {description ? <div>{description}</div> : null}
                </>
              ),
            },
            {
              title: columns.state,
              cell: (webhook) => <WebhookState webhook={webhook} pending={webhook.stats.pending} />,
            },
            { title: columns.day, cell: ({ stats }) => <DayFigures stats={stats} /> },
            {
              title: columns.lastDelivery,
              cell: ({ stats }) => (stats.lastDeliveryAt ? <Time at={stats.lastDeliveryAt} /> : t.webhooks.never),
            },
            { title: columns.types, cell: ({ eventTypes }) => <TypesText eventTypes={eventTypes} /> },
            { title: columns.scope, cell: (webhook) => <ScopeText webhook={webhook} /> },
          ]}
        />
      </Card>
    </Page>
  );
}

function NewButton() {
  const navigate = useNavigate();
  return (
    <GuardedButton
      scope="webhooks:write"
      leftSection={<IconPlus size={16} />}
      onClick={() => void navigate({ to: '/webhooks/new' })}
    >
      {t.webhooks.new}
    </GuardedButton>
  );
}
