import type { Alert } from '../models/Alert.ts';

/** What must be known of an alert to show it; an `Alert` is one. */
export type AlertFacts = Pick<
  Alert,
  'id' | 'projectId' | 'kind' | 'severity' | 'title' | 'message' | 'linkId' | 'webhookId' | 'details'
> &
  Pick<Alert, 'acknowledgedAt' | 'resolvedAt' | 'createdAt' | 'updatedAt'>;

/** An alert as webhooks show it. */
export function presentAlert(alert: AlertFacts) {
  return {
    id: alert.id,
    project_id: alert.projectId,
    kind: alert.kind,
    severity: alert.severity,
    title: alert.title,
    message: alert.message,
    link_id: alert.linkId,
    webhook_id: alert.webhookId,
    details: alert.details,
    acknowledged_at: alert.acknowledgedAt?.toISOString() ?? null,
    resolved_at: alert.resolvedAt?.toISOString() ?? null,
    created_at: alert.createdAt.toISOString(),
    updated_at: alert.updatedAt.toISOString(),
  };
}
