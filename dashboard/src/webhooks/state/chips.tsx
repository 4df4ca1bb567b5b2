import { formatExact } from '../../kernel/numbers.ts';
import { formatRelative } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { useNow } from '../../ui/Time.tsx';
import styles from './state.module.css';
import { stateOf, type WebhookSummary } from './webhookState.ts';

export function WebhookChip({ webhook }: { webhook: Pick<WebhookSummary, 'status' | 'circuit'> }) {
  const state = stateOf(webhook);
  return <StateChip look={LOOKS.webhook[state]}>{t.states.webhook[state]}</StateChip>;
}

/** The state of a webhook, and for one that gets nothing why, or since when. */
export function WebhookState({ webhook, pending }: { webhook: WebhookSummary; pending: number }) {
  const now = useNow(NOW_MS);
  const state = stateOf(webhook);
  const { held, off, waiting } = t.webhooks;
  const why =
    state === 'off'
      ? off.short[webhook.disabledReason ?? 'manual']
      : state === 'held' && webhook.circuitOpenedAt
        ? held.short(formatRelative(webhook.circuitOpenedAt, now))
        : null;
  const parts = [why, pending > 0 ? waiting(formatExact(pending)) : null].filter((part) => part !== null);
  return (
    <>
      <WebhookChip webhook={webhook} />
      {parts.length > 0 ? <div className={styles.why}>{parts.join(' · ')}</div> : null}
    </>
  );
}

const NOW_MS = 30_000;

export type DeliveryStatus = keyof typeof LOOKS.delivery;

export function DeliveryChip({ status }: { status: DeliveryStatus }) {
  return <StateChip look={LOOKS.delivery[status]}>{t.states.delivery[status]}</StateChip>;
}
