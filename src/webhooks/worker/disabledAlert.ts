import type { NewAlert } from '../../alerts/raiseAlert.ts';
import { config } from '../../kernel/config.ts';
import type { Webhook } from '../../models/Webhook.ts';

/** What the alert of a webhook that was switched off is about: there is one until it is enabled. */
export function disabledIncident(webhookId: string): string {
  return `webhook_disabled:${webhookId}`;
}

/** The alert that a webhook was switched off; of the whole team when the webhook is. */
export function disabledAlert(webhook: Webhook): NewAlert {
  const { id, teamId, projectId, url, consecutiveFailures, disabledReason } = webhook;
  const why = disabledReason === 'gone' ? 'answered 410 (gone)' : `failed ${consecutiveFailures} times in a row`;
  return {
    teamId,
    projectId,
    kind: 'webhook_disabled',
    severity: 'critical',
    title: 'A webhook was switched off',
    message:
      `${url} ${why}, so nothing is sent to it any more. What is on its way waits for ` +
      `up to ${Math.round(config.webhookHeldSeconds / 3600)} hours. Repair the receiver and enable the webhook; what ` +
      'it misses meanwhile can be replayed.',
    webhookId: id,
    details: { url, reason: disabledReason, consecutive_failures: consecutiveFailures },
    incident: disabledIncident(id),
  };
}
