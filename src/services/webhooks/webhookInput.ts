/** Whose events a webhook gets; null: the whole team's. */
export interface WebhookScope {
  projectId?: string | null;
  linkId?: string | null;
  tagId?: string | null;
}

/** What can be said about a webhook; a field that is not sent is undefined. */
export interface WebhookInput {
  url?: string;
  description?: string | null;
  eventTypes?: string[];
  scope?: WebhookScope | null;
  includeBots?: boolean;
}
