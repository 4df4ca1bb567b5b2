import { Alert, Button, Group } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { useAsk, useChange } from '../../kernel/queries.ts';
import { formatRemaining } from '../../kernel/times.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { t } from '../../texts/index.ts';
import { IconAlert, IconPause } from '../../ui/icons.ts';
import { Time, useNow } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { rightToChange } from '../state/rightToChange.ts';
import { stateOf, type WebhookStats, type WebhookSummary } from '../state/webhookState.ts';
import styles from './one.module.css';
import { REPLAY_PREVIEW } from './replay.ts';

const ENABLE_WEBHOOK = graphql(`
  mutation EnableWebhook($id: ID!) {
    enableWebhook(id: $id) {
      id
    }
  }
`);

interface BannerProps {
  webhook: WebhookSummary;
  stats: WebhookStats;
}

/** Why nothing arrives, and the way out. Nothing for a webhook that works. */
export function StateBanner(props: BannerProps) {
  const state = stateOf(props.webhook);
  if (state === 'on') return null;
  return state === 'held' ? <HeldBanner {...props} /> : <OffBanner {...props} />;
}

const SECOND_MS = 1000;

function HeldBanner({ webhook, stats }: BannerProps) {
  const now = useNow(SECOND_MS);
  const { held } = t.webhooks;
  const { circuitOpenedAt, nextProbeAt, consecutiveFailures } = webhook;
  return (
    <Alert color="yellow" variant="light" icon={<IconPause size={18} />} title={held.title}>
      <p className={styles.lead}>{held.body(consecutiveFailures)}</p>
      <Facts>
        {circuitOpenedAt ? <Fact name={held.since} value={<Time at={circuitOpenedAt} />} /> : null}
        {nextProbeAt ? (
          <Fact
            name={held.nextProbe}
            value={Date.parse(nextProbeAt) <= now ? held.now : formatRemaining(nextProbeAt, now)}
          />
        ) : null}
        <Fact name={held.waiting} value={held.count(formatExact(stats.pending), stats.pending)} />
        <Fact
          name={held.lastSuccess}
          value={stats.lastSuccessAt ? <Time at={stats.lastSuccessAt} /> : t.webhooks.never}
        />
      </Facts>
      <TestLink webhook={webhook} />
    </Alert>
  );
}

/** Events that are older are deleted. */
const KEPT_MS = 30 * 86_400_000;

function OffBanner({ webhook, stats }: BannerProps) {
  const navigate = useNavigate();
  const { off, held } = t.webhooks;
  const { disabledAt } = webhook;
  const isOld = disabledAt !== null && Date.now() - Date.parse(disabledAt) > KEPT_MS;
  const since = isOld || disabledAt === null ? null : disabledAt;
  const missed = useAsk({
    about: 'events',
    document: REPLAY_PREVIEW,
    variables: { id: webhook.id, input: { since: since ?? '', status: 'missing' } },
    isEnabled: since !== null,
    keepsEarlier: false,
  }).data?.replayPreview.count;
  const enable = useChange({
    document: ENABLE_WEBHOOK,
    touches: ['webhooks', 'deliveries'],
    onDone: () => {
      toast(t.webhooks.switchedOn);
      // What waited is sent by itself; what happened meanwhile only by a replay.
      if (!missed || since === null) return;
      const search = { tab: 'replay', since, which: 'missing' };
      void navigate({ to: '/webhooks/$webhookId', params: { webhookId: webhook.id }, search });
    },
  });
  return (
    <Alert color="red" variant="light" icon={<IconAlert size={18} />} title={off.title}>
      <p className={styles.lead}>{off.reasons[webhook.disabledReason ?? 'manual']}</p>
      <Facts>
        {disabledAt ? <Fact name={off.since} value={<Time at={disabledAt} />} /> : null}
        {stats.pending > 0 ? (
          <Fact name={off.waiting} value={held.count(formatExact(stats.pending), stats.pending)} />
        ) : null}
        {missed === undefined ? null : <Fact name={off.missed} value={off.missedCount(formatExact(missed), missed)} />}
      </Facts>
      {isOld ? <p className={styles.lead}>{off.expired}</p> : null}
      <Group gap="xs">
        <TestLink webhook={webhook} />
        <GuardedButton
          scope={rightToChange(webhook)}
          loading={enable.isPending}
          onClick={() => enable.mutate({ id: webhook.id }, { onError: toastError })}
        >
          {off.on}
        </GuardedButton>
      </Group>
    </Alert>
  );
}

function TestLink({ webhook }: { webhook: WebhookSummary }) {
  return (
    <Button
      variant="default"
      renderRoot={(props) => (
        <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} search={{ tab: 'test' }} {...props} />
      )}
    >
      {t.webhooks.held.test}
    </Button>
  );
}

function Facts({ children }: { children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>;
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
