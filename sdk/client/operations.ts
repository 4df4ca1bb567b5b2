// One method for each operation. Printed by `npm run generate`; do not edit.

import type { Http } from './Http.ts';
import type { Paged } from './Paged.ts';
import { type FileAnswer, Resource } from './Resource.ts';
import type { CallOptions, FileBody, Idempotent, Rehearsed } from './request.ts';
import type { TextStream } from './TextStream.ts';
import type { Alert, AlertPage, Analytics, BulkCreate, BulkCreateLinks, BulkDelete, BulkDeleteLinks, BulkUpdate, BulkUpdateLinks, BulkUpsert, BulkUpsertLinks, CountLinksQuery, CreateDomain, CreateKey, CreateLink, CreateTag, CreateWebhook, CreatedWebhook, CurrentKey, Delivery, DeliveryPage, Domain, DomainPage, EventPage, ExportLinksQuery, GetAnalyticsQuery, GetLinkQrQuery, Health, Import, ImportPage, Install, InstallPage, Key, KeyPage, Link, LinkCount, LinkPage, ListAlertsQuery, ListDeliveriesQuery, ListDomainsQuery, ListEventsQuery, ListImportsQuery, ListInstallsQuery, ListKeysQuery, ListLinksQuery, ListProjectsQuery, ListTagsQuery, ListWebhooksQuery, LookupLinkQuery, MatchReport, Project, ProjectPage, Replay, ReplayInput, RollKey, RotateSecret, SimulateMatch, StartImportQuery, Tag, TagPage, Team, TestWebhook, Trace, TraceLinkQuery, UpdateDomain, UpdateLink, UpdateProject, UpdateTag, UpdateWebhook, UpsertLink, Webhook, WebhookPage } from './types.ts';

export class TeamApi extends Resource {
/**
 * Get the team of the key.
 *
 * Needs the scope `projects:read`.
 */
get(options?: CallOptions): Promise<Team> {
return this.json('getTeam', { ...options });
}
}

export class ProjectsApi extends Resource {
/**
 * List the projects of the key.
 *
 * Needs the scope `projects:read`.
 */
list(query?: ListProjectsQuery, options?: CallOptions): Paged<ProjectPage> {
return this.paged('listProjects', { query, ...options });
}

/**
 * Get a project.
 *
 * Needs the scope `projects:read`.
 */
get(id: string, options?: CallOptions): Promise<Project> {
return this.json('getProject', { variables: { id }, ...options });
}

/**
 * Change a project.
 *
 * Each field in the body is replaced as a whole; null clears it.
 *
 * Needs the scope `projects:write`.
 */
update(id: string, body?: UpdateProject, options?: CallOptions & Rehearsed): Promise<Project> {
return this.json('updateProject', { variables: { id }, body, ...options });
}
}

export class LinksApi extends Resource {
/**
 * List links.
 *
 * Archived links are included unless `status` says otherwise. Newest first unless `sort` and `order` say otherwise.
 *
 * Needs the scope `links:read`.
 */
list(query?: ListLinksQuery, options?: CallOptions): Paged<LinkPage> {
return this.paged('listLinks', { query, ...options });
}

/**
 * Create a link.
 *
 * Needs the scope `links:write`.
 */
create(body: CreateLink, options?: CallOptions & Idempotent & Rehearsed): Promise<Link> {
return this.json('createLink', { body, ...options });
}

/**
 * Count links.
 *
 * Counts the links that match the filters. With `group_by`, `data` has the count of each status, tag or domain,
 * highest first. A link counts under each of its tags, and under `key: null` if it has none. Without `group_by`,
 * `data` is null.
 *
 * Needs the scope `links:read`.
 */
count(query?: CountLinksQuery, options?: CallOptions): Promise<LinkCount> {
return this.json('countLinks', { query, ...options });
}

/**
 * Find a link by its address or external ID.
 *
 * Pass `domain` and `slug`, or `external_id`, or `short_url`.
 *
 * Needs the scope `links:read`.
 */
lookup(query?: LookupLinkQuery, options?: CallOptions): Promise<Link> {
return this.json('lookupLink', { query, ...options });
}

/**
 * Get a link.
 *
 * `{id}` is the id of the link, or `ext_` and your own id (`external_id`).
 *
 * Needs the scope `links:read`.
 */
get(id: string, options?: CallOptions): Promise<Link> {
return this.json('getLink', { variables: { id }, ...options });
}

/**
 * Change a link.
 *
 * `{id}` is the id of the link, or `ext_` and your own id (`external_id`). Each field in the body is replaced as a
 * whole; null clears it. A change does not clear a flag.
 *
 * Needs the scope `links:write`.
 */
update(id: string, body?: UpdateLink, options?: CallOptions & Rehearsed): Promise<Link> {
return this.json('updateLink', { variables: { id }, body, ...options });
}

/**
 * Create or change the link with your own ID.
 *
 * Creates the link (201), or changes the given fields of the link with this external ID (200). Safe to repeat.
 *
 * Needs the scope `links:write`.
 */
upsert(externalId: string, body?: UpsertLink, options?: CallOptions & Rehearsed): Promise<Link> {
return this.json('upsertLink', { variables: { external_id: externalId }, body, ...options });
}

/**
 * Delete a link.
 *
 * `{id}` is the id of the link, or `ext_` and your own id (`external_id`). Its slug can be used again; its clicks
 * remain in analytics.
 *
 * Needs the scope `links:write`. It deletes for good: ask before it is called.
 */
delete(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('deleteLink', { variables: { id }, ...options });
}

/**
 * Archive a link.
 *
 * `{id}` is the id of the link, or `ext_` and your own id (`external_id`). An archived link responds as if it did not
 * exist. Safe to repeat.
 *
 * Needs the scope `links:write`. It stops something that works: ask before it is called.
 */
archive(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Link> {
return this.json('archiveLink', { variables: { id }, ...options });
}

/**
 * Restore an archived link.
 *
 * `{id}` is the id of the link, or `ext_` and your own id (`external_id`). Safe to repeat.
 *
 * Needs the scope `links:write`.
 */
unarchive(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Link> {
return this.json('unarchiveLink', { variables: { id }, ...options });
}

/**
 * Get the QR code of a link.
 *
 * The short URL as an image. Colours that scanners cannot tell apart are refused, and so is a foreground lighter than
 * the background. `{id}` is the id of the link, or `ext_` and your own id.
 *
 * Needs the scope `links:read`.
 */
qr(id: string, query?: GetLinkQrQuery, options?: CallOptions): Promise<FileAnswer> {
return this.file('getLinkQr', { variables: { id }, query, ...options });
}

/**
 * Trace a link.
 *
 * Shows step by step what the router would do with a visitor, and why. Nothing is recorded or counted. Steps after
 * the decisive one are listed as not evaluated. The side of a split follows from the address and user agent, which
 * are fixed in a trace. `{id}` is the ID of the link, or `ext_` and your own ID.
 *
 * Needs the scope `links:read`.
 */
trace(id: string, query?: TraceLinkQuery, options?: CallOptions): Promise<Trace> {
return this.json('traceLink', { variables: { id }, query, ...options });
}

/**
 * Request a review of a flag.
 *
 * The URLs of a flagged link are scanned again soon. If nothing is found, the flag is cleared and `link.updated` is
 * sent; otherwise it stays, with the current reason. A flag set by the operator of this service can only be cleared
 * by the operator. A link without a flag is unchanged. `{id}` is the ID of the link, or `ext_` and your own ID. Safe
 * to repeat.
 *
 * Needs the scope `links:write`.
 */
review(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Link> {
return this.json('reviewLink', { variables: { id }, ...options });
}

/**
 * Create up to 1,000 links.
 *
 * Valid ones succeed even if others fail. One `links.imported` event is sent for the batch. Each invalid link is
 * returned with its invalid fields.
 *
 * Needs the scope `links:write`.
 */
bulkCreate(body: BulkCreateLinks, options?: CallOptions & Idempotent & Rehearsed): Promise<BulkCreate> {
return this.json('bulkCreateLinks', { body, ...options });
}

/**
 * Create or change up to 1,000 links with your own IDs.
 *
 * Each link by its `external_id`: creates it, or changes the given fields of the one that has this external ID; with
 * an `id`, changes that link and gives it the external ID. Valid ones succeed even if others fail; a link whose
 * `external_id` stands earlier in the list fails. Links that are already as sent are `unchanged`: nothing of them is
 * written. One `links.imported` event is sent for the batch unless all are unchanged, and a `link.updated` event for
 * each changed link. Safe to repeat, so no `Idempotency-Key` is needed.
 *
 * Needs the scope `links:write`.
 */
bulkUpsert(body: BulkUpsertLinks, options?: CallOptions & Rehearsed): Promise<BulkUpsert> {
return this.json('bulkUpsertLinks', { body, ...options });
}

/**
 * Change up to 1,000 links.
 *
 * Valid ones succeed even if others fail. One `links.imported` event is sent for the batch. `set` changes each link
 * alike; `add_tags` and `remove_tags` leave the other tags of each link as they are. A `link.updated` event is also
 * sent for each changed link.
 *
 * Needs the scope `links:write`.
 */
bulkUpdate(body: BulkUpdateLinks, options?: CallOptions & Rehearsed): Promise<BulkUpdate> {
return this.json('bulkUpdateLinks', { body, ...options });
}

/**
 * Delete up to 1,000 links.
 *
 * Valid ones succeed even if others fail. One `links.imported` event is sent for the batch. A `link.deleted` event is
 * also sent for each deleted link.
 *
 * Needs the scope `links:write`. It deletes for good: ask before it is called.
 */
bulkDelete(body: BulkDeleteLinks, options?: CallOptions & Idempotent & Rehearsed): Promise<BulkDelete> {
return this.json('bulkDeleteLinks', { body, ...options });
}

/**
 * Export links as CSV or NDJSON.
 *
 * Streams all links of the project, or those that match the filters, oldest first. `POST /imports` accepts the
 * result. Passwords, match windows and clicks are not included. Cells are written unchanged, so that an import
 * restores them exactly; a spreadsheet program reads a title that begins with `=` as a formula. With
 * `spreadsheet=true`, such cells are prefixed with a single quote: use it for files that people open, not for
 * imports. With `format=ndjson`, each line is a whole link as `GET /links/{id}` shows it, for programs: it has every
 * field, match windows and clicks too, and cannot be imported.
 *
 * Needs the scope `links:read`.
 */
export(query?: ExportLinksQuery, options?: CallOptions): TextStream {
return this.text('exportLinks', { query, ...options });
}
}

export class WebhooksApi extends Resource {
/**
 * List webhooks.
 *
 * Webhooks of the project of the key. Team-wide webhooks are not included.
 *
 * Needs the scope `webhooks:read`.
 */
list(query?: ListWebhooksQuery, options?: CallOptions): Paged<WebhookPage> {
return this.paged('listWebhooks', { query, ...options });
}

/**
 * Create a webhook.
 *
 * Without `scope`, it receives the events of the project of the key. `secret` signs its deliveries. With `batch`,
 * events are sent together.
 *
 * Needs the scope `webhooks:write`. It answers with a secret: ask before it is called.
 */
create(body: CreateWebhook, options?: CallOptions & Idempotent & Rehearsed): Promise<CreatedWebhook> {
return this.json('createWebhook', { body, ...options });
}

/**
 * Get a webhook.
 *
 * Needs the scope `webhooks:read`.
 */
get(id: string, options?: CallOptions): Promise<Webhook> {
return this.json('getWebhook', { variables: { id }, ...options });
}

/**
 * Change a webhook.
 *
 * Each field in the body is replaced as a whole. `scope: null` sets the scope to the whole project. `batch: null`
 * sends events one by one from now on, those too that wait.
 *
 * Needs the scope `webhooks:write`.
 */
update(id: string, body?: UpdateWebhook, options?: CallOptions & Rehearsed): Promise<Webhook> {
return this.json('updateWebhook', { variables: { id }, body, ...options });
}

/**
 * Delete a webhook.
 *
 * Pending deliveries are not sent. The deliveries of the webhook are deleted with it.
 *
 * Needs the scope `webhooks:write`. It deletes for good: ask before it is called.
 */
delete(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('deleteWebhook', { variables: { id }, ...options });
}

/**
 * Get the secret of a webhook.
 *
 * The webhook with its newest secret, whose signature comes first.
 *
 * Needs the scope `webhooks:write`. It answers with a secret: ask before it is called.
 */
secret(id: string, options?: CallOptions): Promise<CreatedWebhook> {
return this.json('getWebhookSecret', { variables: { id }, ...options });
}

/**
 * Rotate the secret of a webhook.
 *
 * Returns a new `secret`, whose signature comes first. Earlier secrets keep signing for `expire_previous_seconds`,
 * but not longer than they would have otherwise; with 0 they end at once. A webhook has at most three valid secrets:
 * 409 `conflict` for a rotation that would add a fourth. The body is optional.
 *
 * Needs the scope `webhooks:write`. It answers with a secret: ask before it is called.
 */
rotateSecret(id: string, body?: RotateSecret, options?: CallOptions & Idempotent & Rehearsed): Promise<CreatedWebhook> {
return this.json('rotateWebhookSecret', { variables: { id }, body, ...options });
}

/**
 * Enable a webhook.
 *
 * Clears `disabled_reason` and `consecutive_failures` and closes the circuit. Waiting deliveries are sent, except
 * those that have waited for more than 72 hours, which become `cancelled`. Safe to repeat: an enabled webhook is
 * unchanged.
 *
 * Needs the scope `webhooks:write`. It sends what cannot be taken back: ask before it is called.
 */
enable(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Webhook> {
return this.json('enableWebhook', { variables: { id }, ...options });
}

/**
 * Disable a webhook.
 *
 * Sets `disabled_reason` to `manual`. New events create no deliveries for it, and pending deliveries wait for up to
 * 72 hours. Tests and resends are still sent. Safe to repeat: a disabled webhook keeps its reason.
 *
 * Needs the scope `webhooks:write`. It stops something that works: ask before it is called.
 */
disable(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Webhook> {
return this.json('disableWebhook', { variables: { id }, ...options });
}

/**
 * Send a sample event.
 *
 * Sends a realistic sample of the event type with `test: true` to this webhook only, even if it is disabled.
 *
 * Needs the scope `webhooks:write`. It sends what cannot be taken back: ask before it is called.
 */
test(id: string, body: TestWebhook, options?: CallOptions & Idempotent): Promise<Delivery> {
return this.json('testWebhook', { variables: { id }, body, ...options });
}

/**
 * Replay a range of events.
 *
 * Selects events by `created_at`: `since` is inclusive and at most 30 days ago; `until` is exclusive, and defaults to
 * now, as does a time in the future. `failed` (the default) makes one more attempt, marked `manual`, for each failed
 * or cancelled delivery; if it fails, it is not retried. `missing` creates deliveries for events that match the
 * current settings of the webhook but have no delivery, such as those that occurred while it was disabled; to a
 * webhook with `batch` they are sent in batches. A batch is selected by its newest event. `all` does both, repeats
 * successful deliveries, and sends pending ones sooner. `count` is the number of deliveries and of events without
 * one; they are sent after all new ones. 409 `conflict` while the webhook is disabled.
 *
 * Needs the scope `webhooks:write`. It sends what cannot be taken back: ask before it is called.
 */
replay(id: string, body: ReplayInput, options?: CallOptions & Idempotent): Promise<Replay> {
return this.json('replayWebhook', { variables: { id }, body, ...options });
}
}

export class DeliveriesApi extends Resource {
/**
 * List the deliveries of a webhook.
 *
 * `request_body` is null for batches, which may have a megabyte each: get such a delivery by itself.
 *
 * Needs the scope `webhooks:read`.
 */
list(webhookId: string, query?: ListDeliveriesQuery, options?: CallOptions): Paged<DeliveryPage> {
return this.paged('listDeliveries', { variables: { webhook_id: webhookId }, query, ...options });
}

/**
 * Get a delivery with its attempts.
 *
 * Needs the scope `webhooks:read`.
 */
get(id: string, options?: CallOptions): Promise<Delivery> {
return this.json('getDelivery', { variables: { id }, ...options });
}

/**
 * Resend a delivery.
 *
 * Makes one more attempt of the same delivery at once, with the same event ID and body, marked `manual`, even if the
 * webhook is disabled or its circuit is open. If it fails, it is not retried and does not count against the webhook;
 * if it succeeds, pending retries end. 409 `conflict` when ten resends of the delivery are waiting.
 *
 * Needs the scope `webhooks:write`. It sends what cannot be taken back: ask before it is called.
 */
resend(id: string, options?: CallOptions & Idempotent): Promise<Delivery> {
return this.json('resendDelivery', { variables: { id }, ...options });
}
}

export class AnalyticsApi extends Resource {
/**
 * Count clicks, installs and events.
 *
 * Counts clicks by people, unless `traffic`, a filter by `traffic_class` or grouping by it says otherwise. Each
 * dimension is also a filter: `country=DE,AT`, `country=-US`; a backslash escapes a comma, a leading minus, a space
 * at an edge and itself: `utm_campaign=spring\, summer`; `null` is the unknown value, and `\null` the text. Links are
 * given by ID or `ext_<external id>`, tags by name. A click counts under each tag that its link had at the time. A
 * time series has no gaps. `unique` is the sum of the distinct visitors of each UTC day. `orphan` counts requests for
 * slugs without a link, by domain.
 *
 * Needs the scope `analytics:read`.
 */
get(query?: GetAnalyticsQuery, options?: CallOptions): Promise<Analytics> {
return this.json('getAnalytics', { query, ...options });
}
}

export class TagsApi extends Resource {
/**
 * List tags.
 *
 * Newest first.
 *
 * Needs the scope `tags:read`.
 */
list(query?: ListTagsQuery, options?: CallOptions): Paged<TagPage> {
return this.paged('listTags', { query, ...options });
}

/**
 * Create a tag.
 *
 * 409 `conflict` if the name is taken, regardless of case.
 *
 * Needs the scope `tags:write`.
 */
create(body: CreateTag, options?: CallOptions & Idempotent & Rehearsed): Promise<Tag> {
return this.json('createTag', { body, ...options });
}

/**
 * Change a tag.
 *
 * Its links show the new name at once. No `link.updated` events are sent for its links, because there may be a
 * hundred thousand.
 *
 * Needs the scope `tags:write`.
 */
update(id: string, body?: UpdateTag, options?: CallOptions & Rehearsed): Promise<Tag> {
return this.json('updateTag', { variables: { id }, body, ...options });
}

/**
 * Delete a tag.
 *
 * After the response, no link has the tag. No `link.updated` events are sent for its links, because there may be a
 * hundred thousand. 409 `conflict`, with the webhook, while the scope of a webhook is this tag: it would no longer
 * receive any events.
 *
 * Needs the scope `tags:write`. It deletes for good: ask before it is called.
 */
delete(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('deleteTag', { variables: { id }, ...options });
}
}

export class DomainsApi extends Resource {
/**
 * List domains.
 *
 * Newest first.
 *
 * Needs the scope `domains:read`.
 */
list(query?: ListDomainsQuery, options?: CallOptions): Paged<DomainPage> {
return this.paged('listDomains', { query, ...options });
}

/**
 * Add a domain.
 *
 * The domain is not used until it is verified: set the records in `verification`, then verify it, or wait. 409
 * `conflict` if the project already has the host name, or another team has proved it by its TXT record. A name that
 * another team has proved in another way can be added: your TXT record takes it over, and both teams get an alert.
 *
 * Needs the scope `domains:write`.
 */
create(body: CreateDomain, options?: CallOptions & Idempotent & Rehearsed): Promise<Domain> {
return this.json('createDomain', { body, ...options });
}

/**
 * Get a domain.
 *
 * `problem` says what the last check found and what to do. `found` and `is_set` of each record say what the last
 * check found there.
 *
 * Needs the scope `domains:read`.
 */
get(id: string, options?: CallOptions): Promise<Domain> {
return this.json('getDomain', { variables: { id }, ...options });
}

/**
 * Change where visitors of a domain go.
 *
 * Redirects use the change within a second.
 *
 * Needs the scope `domains:write`.
 */
update(id: string, body?: UpdateDomain, options?: CallOptions & Rehearsed): Promise<Domain> {
return this.json('updateDomain', { variables: { id }, body, ...options });
}

/**
 * Delete a domain.
 *
 * 409 `conflict` while it has links, including archived ones. If it was the default domain of the project, the
 * default becomes the domain of the service. To add the name again later, it must be proved by its TXT record.
 *
 * Needs the scope `domains:write`. It deletes for good: ask before it is called.
 */
delete(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('deleteDomain', { variables: { id }, ...options });
}

/**
 * Verify a domain now.
 *
 * Checks its records or its file, and returns the domain within ten seconds, verified or not: `problem` says what is
 * missing. Domains are also checked automatically.
 *
 * Needs the scope `domains:write`.
 */
verify(id: string, options?: CallOptions & Idempotent): Promise<Domain> {
return this.json('verifyDomain', { variables: { id }, ...options });
}
}

export class EventsApi extends Resource {
/**
 * List events.
 *
 * Events of the project in the last 30 days, newest first, in the same envelopes that webhooks receive. Use it to
 * catch up after a receiver was down. Test events are not included. `created_after` is inclusive, `created_before`
 * exclusive. `link_id` also accepts `ext_` and your own ID; a link that never existed has no events.
 *
 * Needs the scope `events:read`.
 */
list(query?: ListEventsQuery, options?: CallOptions): Paged<EventPage> {
return this.paged('listEvents', { query, ...options });
}
}

export class KeysApi extends Resource {
/**
 * List keys.
 *
 * Keys of the project, newest first, revoked and expired ones included. Publishable keys are shown in full.
 *
 * Needs the scope `keys:read`.
 */
list(query?: ListKeysQuery, options?: CallOptions): Paged<KeyPage> {
return this.paged('listKeys', { query, ...options });
}

/**
 * Get the key of the request.
 *
 * What a client needs to know about its own key: its scopes, its project and team, when it ends, and how many more
 * records assistants may change with it (`write_budget`). Any secret key may ask.
 *
 * Any secret key will do.
 */
current(options?: CallOptions): Promise<CurrentKey> {
return this.json('getCurrentKey', { ...options });
}

/**
 * Create a key.
 *
 * `key` is shown here and, if it is a secret one, never again. A key cannot create keys with scopes that it lacks.
 * Without `scopes`, the new key would have all of them, so a key that lacks some must list the scopes.
 *
 * Needs the scope `keys:write`. It answers with a secret: ask before it is called.
 */
create(body: CreateKey, options?: CallOptions & Idempotent & Rehearsed): Promise<Key> {
return this.json('createKey', { body, ...options });
}

/**
 * Revoke a key.
 *
 * It ends at once and stays in the list. A key may revoke itself. 404 for one that is revoked already.
 *
 * Needs the scope `keys:write`. It deletes for good: ask before it is called.
 */
revoke(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('revokeKey', { variables: { id }, ...options });
}

/**
 * Roll a key.
 *
 * Answers with a new key of the same name, kind, scopes and expiry; `key` is shown here. The old one ends after
 * `expire_previous_seconds`, never later than it would have ended anyway; 0 ends it at once. A key cannot roll
 * another one that has scopes it lacks. 409 `conflict` for a key that is revoked or expired.
 *
 * Needs the scope `keys:write`. It answers with a secret: ask before it is called.
 */
roll(id: string, body?: RollKey, options?: CallOptions & Idempotent & Rehearsed): Promise<Key> {
return this.json('rollKey', { variables: { id }, body, ...options });
}
}

export class AlertsApi extends Resource {
/**
 * List alerts.
 *
 * Alerts of the project of the key, newest first. Alerts of the whole team are not included.
 *
 * Needs the scope `alerts:read`.
 */
list(query?: ListAlertsQuery, options?: CallOptions): Paged<AlertPage> {
return this.paged('listAlerts', { query, ...options });
}

/**
 * Acknowledge an alert.
 *
 * Marks the alert as seen. Safe to repeat: the first time is kept.
 *
 * Needs the scope `alerts:write`.
 */
acknowledge(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Alert> {
return this.json('acknowledgeAlert', { variables: { id }, ...options });
}
}

export class HealthApi extends Resource {
/**
 * Get the health checks of the project.
 *
 * Results of the last run. By default, the checks run every 5 minutes. `status` is the health of the project:
 * `failing` while any check is `fail`, `unknown` before the first run. A check becomes `fail` after two failed runs
 * in a row; until then its status stays, and its `message` says what was found. `warn` and `skip` never make a
 * project fail.
 *
 * Needs the scope `health:read`.
 */
get(options?: CallOptions): Promise<Health> {
return this.json('getHealth', { ...options });
}

/**
 * Run the health checks now.
 *
 * Responds after the run, by default within half a minute. The run counts like any other: after a second failed run
 * in a row, the project is `failing`. Simultaneous requests share a run. After four runs in a row, the next one
 * waits, so that there is one in five seconds on average. `status` is the health of the project: `failing` while any
 * check is `fail`, `unknown` before the first run. A check becomes `fail` after two failed runs in a row; until then
 * its status stays, and its `message` says what was found. `warn` and `skip` never make a project fail.
 *
 * Needs the scope `health:write`.
 */
run(options?: CallOptions & Idempotent): Promise<Health> {
return this.json('runHealthChecks', { ...options });
}
}

export class ImportsApi extends Resource {
/**
 * List imports.
 *
 * Needs the scope `links:read`.
 */
list(query?: ListImportsQuery, options?: CallOptions): Paged<ImportPage> {
return this.paged('listImports', { query, ...options });
}

/**
 * Import links from a CSV file.
 *
 * Responds at once, and a job imports the rows: poll `GET /imports/{id}` until `status` is `finished`, `failed` or
 * `cancelled`. A bad row does not affect the others. At the end, one `links.imported` event is sent, except for a dry
 * run. 422 for a file that cannot be imported at all; no link is created then.
 *
 * Columns are recognized by their names in the first line, in any order; case, spaces and underscores do not matter.
 * Cells are separated by commas, semicolons or tabs. UTF-8, at most 50 MB and 100,000 rows.
 *
 * `format=svc` (the default) reads the columns of `GET /links/export`. Only `destination` is required. Tags are
 * separated by `|`; `routing`, `data` and `preview` are JSON; times are ISO 8601. A row refers to an existing link by
 * `id`, then `external_id`, then `domain` and `slug`.
 *
 * With `on_conflict=update` each field is replaced as a whole. In an `svc` file, an empty cell clears its field, so
 * that importing an export restores it exactly; in other formats, an empty cell changes nothing. A row without any
 * change counts as skipped.
 *
 * The other formats read the exports of Bitly, Dub, Short.io, Rebrandly, Firebase Dynamic Links and Branch. Links on
 * a domain of the vendor (bit.ly, dub.sh, short.gy, rebrand.ly, page.link, app.link, …) move to the default domain of
 * the project with the same slug; any other domain must be a link domain of the project, or the row fails. Other
 * destinations for iOS, Android, desktops and countries become rules of `routing`; a row that names apps, or a path
 * in an app, gets `open_app: true`. A Bitlink with several back-halves becomes one link for each. Your own columns in
 * a Branch file become `data`. Passwords are imported. If the file only says that a link has a password, the row
 * fails, because the link would be public. A row for the root of a domain fails too: set `root_destination` instead.
 * Columns that are not imported are listed in `unknown_columns`, and their values in `GET /imports/{id}/rows`.
 *
 * Needs the scope `links:write`.
 */
start(body: FileBody, query?: StartImportQuery, options?: CallOptions & Idempotent & Rehearsed): Promise<Import> {
return this.json('startImport', { body, contentType: 'text/csv', query, ...options });
}

/**
 * Get an import.
 *
 * The counts and `progress` grow while the import runs.
 *
 * Needs the scope `links:read`.
 */
get(id: string, options?: CallOptions): Promise<Import> {
return this.json('getImport', { variables: { id }, ...options });
}

/**
 * List the errors of the failed rows.
 *
 * CSV: `row` is the line of the file where the row begins (the header line is 1), `column` is spelled as in the file,
 * and empty if the row as a whole is meant. A row with several bad cells has one line for each.
 *
 * Needs the scope `links:read`.
 */
errors(id: string, options?: CallOptions): TextStream {
return this.text('listImportErrors', { variables: { id }, ...options });
}

/**
 * List the results of all rows.
 *
 * CSV with `row`, `outcome` (`created`, `updated`, `skipped` or `failed`), `column` and `message`; after a dry run,
 * what would happen to each row. `row` and `column` are as in `GET /imports/{id}/errors`. A row that was created or
 * changed has lines with `Not taken over: <JSON>.` for values that its link does not have; if it became several
 * links, there may be several such lines.
 *
 * Needs the scope `links:read`.
 */
rows(id: string, options?: CallOptions): TextStream {
return this.text('listImportRows', { variables: { id }, ...options });
}

/**
 * Cancel an import.
 *
 * Rows that are being processed are completed, and links that were created or changed are kept. Safe to repeat. 409
 * `conflict` for an import that has finished or failed.
 *
 * Needs the scope `links:write`. It stops something that works: ask before it is called.
 */
cancel(id: string, options?: CallOptions & Idempotent & Rehearsed): Promise<Import> {
return this.json('cancelImport', { variables: { id }, ...options });
}
}

export class InstallsApi extends Resource {
/**
 * List installs.
 *
 * Newest first. `created_after` is inclusive, `created_before` exclusive.
 *
 * Needs the scope `installs:read`.
 */
list(query?: ListInstallsQuery, options?: CallOptions): Paged<InstallPage> {
return this.paged('listInstalls', { query, ...options });
}

/**
 * Get an install.
 *
 * `{id}` is ours (`ins_…`) or the UUID that the SDK made.
 *
 * Needs the scope `installs:read`.
 */
get(id: string, options?: CallOptions): Promise<Install> {
return this.json('getInstall', { variables: { id }, ...options });
}

/**
 * Explain the match of an install.
 *
 * `{id}` is ours (`ins_…`) or the UUID that the SDK made. Lists the clicks that were compared, each with its score by
 * factor and the reason why it was chosen or not, and what happened to tokens. Kept after the open for 90 days by
 * default; the match itself is kept.
 *
 * Needs the scope `installs:read`.
 */
explain(id: string, options?: CallOptions): Promise<MatchReport> {
return this.json('explainInstall', { variables: { id }, ...options });
}

/**
 * Delete the data of an install.
 *
 * `{id}` is ours (`ins_…`) or the UUID that the SDK made. Deletes its opens, events, match, and the events that
 * webhooks received about it. If the app keeps sending, it counts as a new install. The click that led to it stays
 * used, without a reference to the install.
 *
 * Needs the scope `installs:write`. It deletes for good: ask before it is called.
 */
delete(id: string, options?: CallOptions & Rehearsed): Promise<void> {
return this.nothing('deleteInstall', { variables: { id }, ...options });
}

/**
 * Simulate a match.
 *
 * Compares a made-up click and open by the rules of the project, like a first open without a token. Stores nothing.
 *
 * Needs the scope `installs:write`.
 */
simulate(body: SimulateMatch, options?: CallOptions & Idempotent): Promise<MatchReport> {
return this.json('simulateMatch', { body, ...options });
}
}

/** Each resource by its name. */
export abstract class Resources {
readonly team: TeamApi;
readonly projects: ProjectsApi;
readonly links: LinksApi;
readonly webhooks: WebhooksApi;
readonly deliveries: DeliveriesApi;
readonly analytics: AnalyticsApi;
readonly tags: TagsApi;
readonly domains: DomainsApi;
readonly events: EventsApi;
readonly keys: KeysApi;
readonly alerts: AlertsApi;
readonly health: HealthApi;
readonly imports: ImportsApi;
readonly installs: InstallsApi;

constructor(http: Http) {
this.team = new TeamApi(http);
this.projects = new ProjectsApi(http);
this.links = new LinksApi(http);
this.webhooks = new WebhooksApi(http);
this.deliveries = new DeliveriesApi(http);
this.analytics = new AnalyticsApi(http);
this.tags = new TagsApi(http);
this.domains = new DomainsApi(http);
this.events = new EventsApi(http);
this.keys = new KeysApi(http);
this.alerts = new AlertsApi(http);
this.health = new HealthApi(http);
this.imports = new ImportsApi(http);
this.installs = new InstallsApi(http);
}
}
