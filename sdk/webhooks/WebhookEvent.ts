/** The event types of this version; later ones of the server may be added to them. */
export type WebhookEventType =
  | 'link.created'
  | 'link.updated'
  | 'link.archived'
  | 'link.flagged'
  | 'link.deleted'
  | 'links.imported'
  | 'link.clicked'
  | 'app.installed'
  | 'app.opened'
  | 'app.event'
  | 'health.failed'
  | 'health.recovered'
  | 'domain.verified'
  | 'alert.created';

/** The envelope of every webhook. */
export interface WebhookEvent<Data extends object = Record<string, unknown>> {
  /** `evt_…`, the same on every attempt and resend of one event: remember it, and repeats are harmless. */
  id: string;
  /** Answer 2xx to types that you do not know, too. */
  type: WebhookEventType | (string & Record<never, never>);
  /** A date, pinned when the webhook was made: the shape of `data` stays as it was then. */
  api_version: string;
  /** ISO 8601, UTC, with milliseconds. Deliveries come in no particular order. */
  created_at: string;
  team_id: string;
  /** Null for alerts about the whole team alone. */
  project_id: string | null;
  /** True for samples sent with the test button: nothing happened. */
  test: boolean;
  /** Its shape depends on `type`. */
  data: Data;
}

/** The body of a request to a webhook with `batch`: events of one project, oldest first. */
export interface WebhookBatch<Data extends object = Record<string, unknown>> {
  type: 'batch';
  /** From 1 to 1,000. */
  events: WebhookEvent<Data>[];
}
