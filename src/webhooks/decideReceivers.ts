export interface SelectableWebhook {
  id: string;
  teamId: string;
  status: 'enabled' | 'disabled';
  /** Event types, or `*` for all. */
  eventTypes: string[];
  /** The scope. The narrowest one counts; a webhook with none is team-wide. */
  projectId: string | null;
  linkId: string | null;
  tagId: string | null;
  includeBots: boolean;
}

export interface SelectableEvent {
  type: string;
  teamId: string;
  /** Null for events of the whole team. */
  projectId: string | null;
  linkId: string | null;
  /** Tags of the link; for link.updated the tags before and after. */
  tagIds: string[];
  /** For link.clicked only. */
  trafficClass: string | null;
  /** The only receiver of a test event; null for other events. */
  webhookId: string | null;
  /** For alert.created only: holds the alert. */
  data?: Record<string, unknown>;
}

/** Whether the webhook receives the event. A test ignores its subscription, scope and status. */
export function matches(webhook: SelectableWebhook, event: SelectableEvent): boolean {
  if (webhook.teamId !== event.teamId) return false;
  if (event.webhookId !== null) return event.webhookId === webhook.id;
  return (
    webhook.status === 'enabled' &&
    !isItsOwnAlert(webhook, event) &&
    (webhook.eventTypes.includes('*') || webhook.eventTypes.includes(event.type)) &&
    isInScope(webhook, event) &&
    isWantedTraffic(webhook, event)
  );
}

/** The alert that a webhook fails is not sent to this webhook. */
function isItsOwnAlert({ id }: SelectableWebhook, { type, data }: SelectableEvent): boolean {
  return type === 'alert.created' && (data?.alert as { webhook_id?: unknown } | undefined)?.webhook_id === id;
}

function isInScope({ projectId, linkId, tagId }: SelectableWebhook, event: SelectableEvent): boolean {
  if (projectId === null && linkId === null && tagId === null) return true;
  if (event.projectId === null || (projectId !== null && projectId !== event.projectId)) return false;
  if (linkId !== null) return isAboutOneLink(event.type) && event.linkId === linkId;
  if (tagId !== null) return isAboutOneLink(event.type) && event.tagIds.includes(tagId);
  return true;
}

function isAboutOneLink(type: string): boolean {
  return type.startsWith('link.') || type.startsWith('app.') || type === 'alert.created';
}

function isWantedTraffic({ includeBots }: SelectableWebhook, { type, trafficClass }: SelectableEvent): boolean {
  if (type !== 'link.clicked' || trafficClass === 'human') return true;
  return includeBots && (trafficClass === 'bot' || trafficClass === 'scanner');
}
