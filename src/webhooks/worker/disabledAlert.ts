import type { NewAlert } from '../../alerts/raiseAlert.ts';
import { config } from '../../kernel/config.ts';
import type { Webhook } from '../../models/Webhook.ts';

/** The incident of a disabled webhook: it has one open alert until the webhook is enabled. */
export function disabledIncident(webhookId: string): string {
  return `webhook_disabled:${webhookId}`;
}

/** The alert that a webhook was disabled; of the whole team for a team-wide webhook. */
export function disabledAlert(webhook: Webhook): NewAlert {
  const { id, teamId, projectId, url, consecutiveFailures, disabledReason } = webhook;
  const why = disabledReason === 'gone' ? 'answered 410 (gone)' : `failed ${consecutiveFailures} times in a row`;
  return {
    teamId,
    projectId,
    kind: 'webhook_disabled',
    severity: 'critical',
    title: 'A webhook was disabled',
    message:
      `${url} ${why}, so no more events are sent to it. Pending deliveries are kept for ` +
      `${Math.round(config.webhookHeldSeconds / 3600)} hours. Fix the receiver, then enable the webhook; you can replay ` +
      'the events that it missed.',
    webhookId: id,
    details: { url, reason: disabledReason, consecutive_failures: consecutiveFailures },
    incident: disabledIncident(id),
  };
}
