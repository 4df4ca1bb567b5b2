import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { graphql } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { useAsk } from '../../kernel/queries.ts';
import { t } from '../../texts/index.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Time } from '../../ui/Time.tsx';
import { failureOf, WebhookChip } from '../../webhooks/public.ts';
import type { OneAlert } from '../AlertPage.tsx';
import { numberIn, textIn } from '../alerts.ts';

const ATTEMPTS = graphql(`
  query AlertAttempts($webhookId: ID!) {
    deliveries(webhookId: $webhookId, limit: 20) {
      data {
        id
        eventType
        attempts {
          number
          at
          statusCode
          error
        }
      }
    }
  }
`);

const MOST_SHOWN = 5;

/** Why a webhook was switched off, and how its last attempts went. */
export function WebhookDetails({ alert: { webhook, details } }: { alert: OneAlert }) {
  const texts = t.watch.alert.webhook;
  const reason = textIn(details, 'reason');
  const failures = formatExact(numberIn(details, 'consecutive_failures') ?? 0);
  return (
    <>
      <Card
        title={t.watch.alert.details}
        actions={
          webhook ? (
            <Group gap={16}>
              <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }}>
                {texts.open}
              </Link>
              <Link to="/webhooks/$webhookId/deliveries" params={{ webhookId: webhook.id }}>
                {texts.log}
              </Link>
            </Group>
          ) : null
        }
      >
        <Facts
          facts={[
            { name: 'URL', value: textIn(details, 'url'), isWide: true },
            { name: texts.reason, value: reason === 'gone' ? texts.reasons.gone : texts.reasons.failures(failures) },
            {
              name: texts.now,
              value: webhook ? <WebhookChip webhook={webhook} /> : t.watch.alert.deletedWebhook,
            },
          ]}
        />
      </Card>
      {webhook ? <LastAttempts webhookId={webhook.id} /> : null}
    </>
  );
}

function LastAttempts({ webhookId }: { webhookId: string }) {
  const texts = t.watch.alert.webhook;
  const query = useAsk({ about: 'deliveries', document: ATTEMPTS, variables: { webhookId }, keepsEarlier: false });
  const attempts = (query.data?.deliveries.data ?? [])
    .flatMap(({ id, eventType, attempts }) => attempts.map((attempt) => ({ ...attempt, id, eventType })))
    .toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at))
    .slice(0, MOST_SHOWN);
  return (
    <Card title={texts.attempts} isFlush>
      <RecordTable
        label={texts.attempts}
        rows={attempts}
        keyOf={({ id, number }) => `${id} ${number}`}
        query={query}
        empty={<EmptyState title={texts.noAttempts} />}
        columns={[
          { title: texts.columns.time, cell: ({ at }) => <Time at={at} /> },
          {
            title: texts.columns.event,
            cell: ({ id, eventType }) => (
              <Link to="/webhooks/$webhookId/deliveries" params={{ webhookId }} search={{ open: id }}>
                {eventType}
              </Link>
            ),
          },
          {
            title: texts.columns.result,
            cell: (attempt) => (attempt.error === null ? t.states.delivery.succeeded : failureOf(attempt)),
          },
        ]}
      />
    </Card>
  );
}
