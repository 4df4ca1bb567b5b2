import { Link } from '@tanstack/react-router';
import { shortAddress } from '../kernel/addresses.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { ErrorText, LoadingRows } from '../ui/states.tsx';
import styles from './one/one.module.css';
import { DeliveryChip } from './state/chips.tsx';

const EVENT_DELIVERIES = graphql(`
  query EventDeliveries($projectId: ID!, $eventId: ID!) {
    deliveries(projectId: $projectId, eventId: $eventId, limit: 100) {
      data {
        id
        status
        attemptCount
        webhookId
        webhook {
          url
        }
      }
    }
  }
`);

/** The webhooks that an event was sent to, and what became of it. */
export function EventDeliveries({ projectId, eventId }: { projectId: string; eventId: string }) {
  const { data, error } = useAsk({
    about: 'deliveries',
    document: EVENT_DELIVERIES,
    variables: { projectId, eventId },
  });
  const { events, deliveries } = t.webhooks;
  if (!data) return error ? <ErrorText error={error} /> : <LoadingRows rows={1} height={24} />;
  const rows = data.deliveries.data;
  if (rows.length === 0) return <p>{events.noDeliveries}</p>;
  return (
    <ul className={styles.targets}>
      {rows.map(({ id, status, attemptCount, webhookId, webhook }) => (
        <li key={id}>
          <Link to="/webhooks/$webhookId/deliveries" params={{ webhookId }} search={{ open: id }}>
            {webhook ? shortAddress(webhook.url) : events.deletedWebhook}
          </Link>{' '}
          <DeliveryChip status={status} /> {deliveries.attempts(attemptCount)}
        </li>
      ))}
    </ul>
  );
}
