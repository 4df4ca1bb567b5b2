export interface SelectableWebhook {
  id: string;
  teamId: string;
  status: 'enabled' | 'disabled';
  /** Event types, or `*` for all. */
  eventTypes: string[];
  /** The scope: at most one counts, the narrowest; all null is team-wide. */
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
  /** Tags that the link carries; for link.updated those before and after. */
  tagIds: string[];
  /** Of link.clicked alone. */
  trafficClass: string | null;
  /** The one webhook that a test event is for. */
  webhookId: string | null;
  /** Of alert.created alone: the alert. */
  data?: Record<string, unknown>;
}

/** Whether the webhook gets the event. A test goes to its webhook whatever that is subscribed to, disabled or not. */
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

/** Nobody is told by a webhook that this very webhook fails. */
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
