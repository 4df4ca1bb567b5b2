import type { ReactNode } from 'react';
import type { Json } from '../../kernel/graphql.ts';
import { t, withTexts } from '../../texts/index.ts';
import { Facts } from '../../ui/Facts.tsx';
import { onDemand } from '../../ui/onDemand.tsx';
import { Card } from '../../ui/Page.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import type { OneAlert } from '../AlertPage.tsx';
import { FlaggedLinkDetails } from './FlaggedLinkDetails.tsx';
import { BillingDetails, DomainDetails, SecurityDetails } from './FurtherDetails.tsx';
import { HealthDetails } from './HealthDetails.tsx';

// With parts of the pages of analytics and webhooks.
const loadAnomalyDetails = withTexts('analytics', () => import('./AnomalyDetails.tsx'));
const AnomalyDetails = onDemand(() => loadAnomalyDetails().then(({ AnomalyDetails }) => AnomalyDetails), {
  fallback: <LoadingRows />,
});
// It shows attempts as the pages of webhooks do.
const loadWebhookDetails = withTexts('webhooks', () => import('./WebhookDetails.tsx'));
const WebhookDetails = onDemand(() => loadWebhookDetails().then(({ WebhookDetails }) => WebhookDetails), {
  fallback: <LoadingRows />,
});

/** How the details of each kind of alert are shown. */
const DETAILS: Record<OneAlert['kind'], (props: { alert: OneAlert }) => ReactNode> = {
  traffic_anomaly: AnomalyDetails,
  health: HealthDetails,
  webhook_disabled: WebhookDetails,
  link_flagged: FlaggedLinkDetails,
  domain: DomainDetails,
  security: SecurityDetails,
  billing: BillingDetails,
  lost_journal: OtherDetails,
};

export function AlertDetails({ alert }: { alert: OneAlert }) {
  // A newer server may have kinds that this page does not know.
  const Known = DETAILS[alert.kind] ?? OtherDetails;
  return <Known alert={alert} />;
}

/** The details as names and values. */
function OtherDetails({ alert: { details } }: { alert: OneAlert }) {
  const entries = Object.entries(details);
  if (entries.length === 0) return null;
  return (
    <Card title={t.watch.alert.details}>
      <Facts facts={entries.map(([name, value]) => ({ name, value: textOf(value) }))} />
    </Card>
  );
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
