import type { NewAlert } from '../../alerts/raiseAlert.ts';
import { config } from '../../kernel/config.ts';
import type { Webhook } from '../../models/Webhook.ts';

/** What the alert of a webhook that was switched off is about: there is one until it is enabled. */
export function disabledIncident(webhookId: string): string {
  return `webhook_disabled:${webhookId}`;
}

/** The alert that a webhook was switched off; of the whole team when the webhook is. */
export function disabledAlert({ id, teamId, projectId, url, consecutiveFailures }: Webhook): NewAlert {
  return {
    teamId,
    projectId,
    kind: 'webhook_disabled',
    severity: 'critical',
    title: 'A webhook was switched off',
    message:
      `${url} failed ${consecutiveFailures} times in a row, so nothing is sent to it any more. What is on its way waits ` +
      `for up to ${Math.round(config.webhookHeldSeconds / 3600)} hours. Repair the receiver and enable the webhook; what ` +
      'it misses meanwhile can be replayed.',
    webhookId: id,
    details: { url, consecutive_failures: consecutiveFailures },
    incident: disabledIncident(id),
  };
}
