import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { SendTest } from '../sending/SendTest.tsx';
import { rightToChange } from '../state/rightToChange.ts';
import type { WebhookSummary } from '../state/webhookState.ts';
import styles from './one.module.css';

/** Sends a test event and shows the signed request with its answer. */
export function TestTab({ webhook }: { webhook: WebhookSummary }) {
  return (
    <Card title={t.webhooks.secret.test}>
      <p className={styles.lead}>{t.webhooks.test.about}</p>
      <SendTest webhookId={webhook.id} eventTypes={webhook.eventTypes} right={rightToChange(webhook)} />
    </Card>
  );
}
