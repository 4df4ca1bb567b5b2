import { useLocation, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect } from 'react';
import { shortAddress } from '../../kernel/addresses.ts';
import { graphql, readFragment } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useItsPlace } from '../../session/useItsPlace.ts';
import { t } from '../../texts/index.ts';
import { ManagedBy } from '../../ui/ManagedBy.tsx';
import { onDemand } from '../../ui/onDemand.tsx';
import { Page } from '../../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { TabLinks } from '../../ui/TabLinks.tsx';
import { WebhookChip } from '../state/chips.tsx';
import { WEBHOOK_FIGURES, WEBHOOK_SUMMARY, type WebhookSummary } from '../state/webhookState.ts';
import { StateBanner } from './StateBanner.tsx';

const WEBHOOK = graphql(
  `
    query Webhook($id: ID!) {
      webhook(id: $id) {
        ...WebhookSummary
        ...WebhookFigures
      }
    }
  `,
  [WEBHOOK_SUMMARY, WEBHOOK_FIGURES],
);

const POLL_MS = 10_000;

const tab = (load: () => Promise<ComponentType<{ webhook: WebhookSummary }>>) =>
  onDemand(load, { fallback: <LoadingRows /> });

/** The parts of the page, in their order, each loaded when it is opened. */
const TABS = {
  deliveries: tab(() => import('./DeliveriesTab.tsx').then(({ DeliveriesTab }) => DeliveriesTab)),
  test: tab(() => import('./TestTab.tsx').then(({ TestTab }) => TestTab)),
  replay: tab(() => import('./ReplayTab.tsx').then(({ ReplayTab }) => ReplayTab)),
  settings: tab(() => import('./SettingsTab.tsx').then(({ SettingsTab }) => SettingsTab)),
};
type Tab = keyof typeof TABS;

export function WebhookPage() {
  const { webhookId = '' } = useParams({ strict: false });
  const { tab } = useSearch({ strict: false });
  const isLog = useLocation({ select: ({ pathname }) => pathname.endsWith('/deliveries') });
  const { data, error, refetch } = useAsk({
    about: 'webhooks',
    document: WEBHOOK,
    variables: { id: webhookId },
    keepsEarlier: false,
    pollMs: POLL_MS,
  });
  const isInPlace = useItsPlace(data && readFragment(WEBHOOK_SUMMARY, data.webhook));
  const current: Tab = !isLog && tab !== undefined && tab in TABS ? (tab as Tab) : 'deliveries';
  const Shown = TABS[current];
  useEffect(Shown.preload, [Shown]);
  if (!data || !isInPlace) {
    return (
      <Page title={t.webhooks.title} back="/webhooks">
        {error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />}
      </Page>
    );
  }
  const webhook = readFragment(WEBHOOK_SUMMARY, data.webhook);
  const { stats } = readFragment(WEBHOOK_FIGURES, data.webhook);
  return (
    <Page
      title={shortAddress(webhook.url)}
      back="/webhooks"
      about={webhook.description}
      actions={<WebhookChip webhook={webhook} />}
    >
      {current === 'settings' ? null : <ManagedBy managedBy={webhook.managedBy} />}
      <StateBanner webhook={webhook} stats={stats} />
      <TabLinks
        label={t.webhooks.tabsLabel}
        current={current}
        tabs={(Object.keys(TABS) as Tab[]).map((name) => ({
          tab: name,
          label: t.webhooks.tabs[name],
          to: name === 'deliveries' ? `/webhooks/${webhook.id}/deliveries` : `/webhooks/${webhook.id}`,
          search: name === 'deliveries' ? {} : { tab: name },
        }))}
      />
      <Shown webhook={webhook} />
    </Page>
  );
}
