import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { graphql } from '../../kernel/graphql.ts';
import { usePages } from '../../kernel/queries.ts';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { formatRelative } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { SideDialog } from '../../ui/Dialog.tsx';
import { Card } from '../../ui/Page.tsx';
import { Chip } from '../../ui/StateChip.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { useNow } from '../../ui/Time.tsx';
import { typeOf } from '../request/delivery.ts';
import { DeliveryChip } from '../state/chips.tsx';
import type { WebhookSummary } from '../state/webhookState.ts';
import { DeliveryDetails } from './DeliveryDetails.tsx';
import { DeliveryFilters, type DeliverySearch, variablesOf } from './DeliveryFilters.tsx';
import styles from './one.module.css';

/** Without bodies: fifty of them are 200 kB. */
const DELIVERIES = graphql(`
  query Deliveries(
    $webhookId: ID!
    $status: DeliveryStatus
    $eventType: String
    $eventId: ID
    $createdAfter: DateTimeISO
    $createdBefore: DateTimeISO
    $cursor: String
  ) {
    deliveries(
      webhookId: $webhookId
      status: $status
      eventType: $eventType
      eventId: $eventId
      createdAfter: $createdAfter
      createdBefore: $createdBefore
      cursor: $cursor
      limit: 50
    ) {
      data {
        id
        eventType
        eventCount
        status
        test
        createdAt
        attemptCount
      }
      nextCursor
    }
  }
`);

/** While something is under way, and while new deliveries may come. */
const BUSY_MS = 3_000;
const QUIET_MS = 10_000;
const NOW_MS = 10_000;

/** What was sent and is to be sent, with the one that is open beside it, or above it on a phone. */
export function DeliveriesTab({ webhook }: { webhook: WebhookSummary }) {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const isNarrow = useMediaQuery('(max-width: 63.99em)') ?? false;
  const { open } = search;
  const variables = variablesOf(search);
  const query = usePages({
    about: 'deliveries',
    document: DELIVERIES,
    variables: { webhookId: webhook.id, ...variables },
    pageOf: (data) => data.deliveries,
    pollMs: (rows) => (rows.some(({ status }) => status === 'pending') ? BUSY_MS : QUIET_MS),
  });
  const goTo = (changed: DeliverySearch & { open?: string | undefined }, isNew = false) =>
    void navigate({
      to: '/webhooks/$webhookId/deliveries',
      params: { webhookId: webhook.id },
      search: { ...search, tab: undefined, ...changed } as never,
      replace: !isNew,
      resetScroll: false,
    });
  const now = useNow(NOW_MS);
  const move = (by: number) => {
    const at = query.rows.findIndex(({ id }) => id === open);
    const next = query.rows[at < 0 ? 0 : Math.min(Math.max(at + by, 0), query.rows.length - 1)];
    if (!next) return;
    goTo({ open: next.id });
    document.getElementById(next.id)?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Escape: () => goTo({ open: undefined }),
  });
  const isFiltered = Object.values(variables).some((value) => value !== null);
  const details = open ? <DeliveryDetails key={open} id={open} webhook={webhook} /> : null;
  return (
    <>
      <Card>
        <DeliveryFilters webhookId={webhook.id} search={search} onFilter={goTo} />
      </Card>
      <div className={styles.columns}>
        <Card isFlush>
          {query.isPending ? <LoadingRows /> : null}
          {query.error && query.rows.length === 0 ? <ErrorState error={query.error} retry={query.refetch} /> : null}
          {query.isSuccess && query.rows.length === 0 ? (
            <EmptyState title={isFiltered ? t.webhooks.deliveries.nothingFound : t.webhooks.deliveries.empty} />
          ) : null}
          <ul className={styles.rows} aria-label={t.webhooks.deliveries.label}>
            {query.rows.map((row) => (
              <li key={row.id} id={row.id}>
                <button
                  type="button"
                  className={styles.row}
                  aria-current={row.id === open || undefined}
                  onClick={() => goTo({ open: row.id }, true)}
                >
                  <span className={styles.type}>
                    {typeOf(row)} {row.test ? <Chip>{t.webhooks.deliveries.test}</Chip> : null}
                  </span>
                  <DeliveryChip status={row.status} />
                  <span className={styles.soft}>
                    <time dateTime={row.createdAt}>{formatRelative(row.createdAt, now)}</time>
                  </span>
                  <span className={styles.soft}>{t.webhooks.deliveries.attempts(row.attemptCount)}</span>
                </button>
              </li>
            ))}
          </ul>
          {query.hasNextPage ? (
            <div className={styles.more}>
              <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t.common.showMore}
              </Button>
            </div>
          ) : null}
        </Card>
        {isNarrow ? (
          <SideDialog
            opened={details !== null}
            onClose={() => goTo({ open: undefined })}
            position="bottom"
            size="92%"
            title={t.webhooks.deliveries.details}
            closeButtonProps={{ 'aria-label': t.webhooks.deliveries.close }}
          >
            {details}
          </SideDialog>
        ) : (
          <Card title={t.webhooks.deliveries.details}>
            {details ?? (
              <p className={styles.soft}>
                {t.webhooks.deliveries.choose} {t.webhooks.deliveries.keys}
              </p>
            )}
          </Card>
        )}
      </div>
    </>
  );
}
