// What the API takes and answers. Printed by `npm run generate`; do not edit.

export interface Team {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The name of the team. */
    name: string;
    /**
     * @description active, or read_only in survival mode.
     * @enum {string}
     */
    status: "active" | "read_only";
    /** @description Why nothing can be changed; null while everything can. */
    read_only_reason: string | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export type Time = string;

export interface ProjectPage {
    /** @description The rows of the page. */
    data: Project[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Project {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The name of the project. */
    name: string;
    /** @description The host of new links; null: the default of this service. */
    default_domain: string | null;
    /** @description How long after a click an install can match it, in seconds. */
    match_window_seconds: number;
    /** @description Whether installs without a token are compared with recent clicks. */
    probabilistic_matching: boolean;
    /** @description Events with a larger value, positive or negative, are outliers and left out of the sums in analytics. */
    max_event_value: number;
    /**
     * @description passing, failing or unknown.
     * @enum {string}
     */
    health: "passing" | "failing" | "unknown";
    /** @description iOS and Android apps. */
    apps: App[];
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export type App = IosApp | AndroidApp;

export interface IosApp {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    platform: "ios";
    /** Format: bundle_id */
    bundle_id: string;
    /** Format: team_id */
    team_id: string;
    /** Format: app_store_id */
    app_store_id?: string | null;
    scheme?: AppScheme | null;
}

export type AppScheme = string;

export interface AndroidApp {
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    platform: "android";
    /** Format: android_package */
    package: string;
    sha256_fingerprints: string[];
    scheme?: AppScheme | null;
}

export interface UpdateProject {
    /** @description The iOS and Android apps; replaces all of them. */
    apps?: App[] | null;
    /**
     * Format: host
     * @description The host of new links; null: the default of this service.
     */
    default_domain?: string | null;
    /** @description How long after a click an install can match it, in seconds. */
    match_window_seconds?: number;
    /** @description Events with a larger value, positive or negative, are outliers and left out of sums, because anybody who has your app can send any value. */
    max_event_value?: number;
    /** @description The name of the project. */
    name?: string;
    /** @description Whether installs without a token are compared with recent clicks. */
    probabilistic_matching?: boolean;
}

export interface LinkPage {
    /** @description The rows of the page. */
    data: Link[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Link {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /** @description Host of the short URL, with a port that is not the default one. */
    domain: string;
    /** @description The path of the short URL, without the slash in front. */
    slug: string;
    /** @description The URL to share. */
    short_url: string;
    /** @description Where visitors go whom no rule sends elsewhere. */
    destination: string;
    /** @description Rules and split that choose another destination. */
    routing: Routing | null;
    /** @description Free-form payload for the app. */
    data: {
        [key: string]: unknown;
    };
    /** @description Names, in alphabetical order. */
    tags: string[];
    /**
     * @description flagged, archived, scheduled, expired or active: the first that holds.
     * @enum {string}
     */
    status: "flagged" | "archived" | "scheduled" | "expired" | "active";
    /** @description Your own id, unique in the project. */
    external_id: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by: string | null;
    /** @description A name for your team; visitors never see it, only preview.title. */
    title: string | null;
    /** @description Notes for your team; never shown to visitors. */
    notes: string | null;
    /** @description Campaign parameters; null: none are added. */
    utm: Utm | null;
    /** @description What social networks show; null: what the destination says. */
    preview: Preview | null;
    /** @description Whether visitors are asked for a password. */
    password_protected: boolean;
    /** @description Before this time the link does not redirect; null: it works at once. */
    starts_at: Time | null;
    /** @description From this time the link is expired; null: never. */
    expires_at: Time | null;
    /** @description Where visitors go once the link is expired; null: as the domain says. */
    expired_destination: string | null;
    /** @description Clicks of people after which the link is expired; bots and scanners use up none. Exact where one process answers redirects; among several, people who follow it at the others within some three seconds come on top. */
    click_limit: number | null;
    /** @description Null: as the project says. */
    match_window_seconds: number | null;
    /** @description Clicks of people. With a click limit, openings of apps that were not known before are left out. */
    clicks: number;
    /** @description When a person last clicked; null if there was no click. */
    last_clicked_at: Time | null;
    /** @description Why the link was flagged as dangerous; null unless it is. */
    flag_reason: string | null;
    /** @description When the link was flagged; null unless it is. */
    flagged_at: Time | null;
    /** @description When the link was archived; null unless it is. */
    archived_at: Time | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface Routing {
    rules?: RoutingRule[];
    split?: SplitEntry[];
    forward_query?: boolean;
    forward_path?: boolean;
    /** @description Phones open the app of the project, else its store or fallback. It may be set before apps are registered: until then visitors get the destination, and health and trace say why. */
    open_app?: boolean;
    ios?: PlatformRouting | null;
    android?: PlatformRouting | null;
}

export interface RoutingRule {
    name?: string | null;
    when: Conditions;
    /** Format: destination */
    destination: string;
}

export interface Conditions {
    platform?: ("ios" | "android" | "windows" | "macos" | "linux" | "other")[];
    device?: ("mobile" | "tablet" | "desktop")[];
    country?: string[];
    language?: string[];
    referrer_host?: string[];
    query?: QueryCondition[];
    after?: Time;
    before?: Time;
    not?: NegatedConditions;
}

export interface QueryCondition {
    name: string;
    value?: string;
}

export interface NegatedConditions {
    platform?: ("ios" | "android" | "windows" | "macos" | "linux" | "other")[];
    device?: ("mobile" | "tablet" | "desktop")[];
    country?: string[];
    language?: string[];
    referrer_host?: string[];
    query?: QueryCondition[];
    after?: Time;
    before?: Time;
}

export interface SplitEntry {
    name?: string | null;
    /** Format: destination */
    destination: string;
    weight: number;
}

export interface PlatformRouting {
    deep_link_path?: string | null;
    /**
     * Format: fallback
     * @description `store`, or a URL.
     */
    fallback?: string | null;
}

export interface Utm {
    /** @description utm_source: where visitors come from, such as newsletter. */
    source: string | null;
    /** @description utm_medium: the kind of channel, such as email. */
    medium: string | null;
    /** @description utm_campaign: the name of the campaign. */
    campaign: string | null;
    /** @description utm_term: the paid keyword. */
    term: string | null;
    /** @description utm_content: which of several links or ads it is. */
    content: string | null;
}

export interface Preview {
    /** @description The headline, which visitors see in previews too; null: the host of the destination. */
    title: string | null;
    /** @description The text below the headline; null: that of the destination. */
    description: string | null;
    /** @description The image; null: that of the destination. */
    image_url: string | null;
}

export interface CreateLink {
    /** @description Clicks of people after which the link is expired. */
    click_limit?: number | null;
    /** @description Free-form payload for the app, at most 16 KiB. */
    data?: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: destination
     * @description An http(s) URL, or one with the scheme of an app of the project.
     */
    destination: string;
    /**
     * Format: host
     * @description Host of the short URL; unset: the default domain of the project.
     */
    domain?: string;
    /**
     * Format: destination
     * @description Where visitors go once the link is expired; null: as the domain says.
     */
    expired_destination?: string | null;
    /** @description From this time the link is expired. A time in the past is allowed: it ends the link at once, and expired links can be imported. The answer shows it in `status`. */
    expires_at?: Time | null;
    /** @description Your own id, unique in the project; null: none. */
    external_id?: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description How long after a click an install can match it, in seconds; null: as the project says. */
    match_window_seconds?: number | null;
    /** @description Notes for your team; never shown to visitors. */
    notes?: string | null;
    /** @description Visitors are asked for it. Stored as an argon2id hash and never returned; null removes it. */
    password?: string | null;
    /** @description What social networks show; null: what the destination says. */
    preview?: PreviewInput | null;
    /** @description Rules and a split that choose another destination; null: none. */
    routing?: Routing | null;
    /**
     * Format: slug
     * @description Unset at creation: 7 characters are generated.
     */
    slug?: string;
    /** @description Before this time the link does not redirect. */
    starts_at?: Time | null;
    /** @description Names; unknown ones are created. */
    tags?: string[] | null;
    /** @description A name for your team; visitors never see it, only preview.title. */
    title?: string | null;
    /** @description Campaign parameters that are added to the destination; null: none. */
    utm?: UtmInput | null;
}

export interface PreviewInput {
    /** @description The text below the headline; null: that of the destination. */
    description?: string | null;
    /**
     * Format: uri
     * @description The image; null: that of the destination.
     */
    image_url?: string | null;
    /** @description The headline, which visitors see in previews too; null: the host of the destination. */
    title?: string | null;
}

export interface UtmInput {
    /** @description utm_campaign: the name of the campaign. */
    campaign?: string | null;
    /** @description utm_content: which of several links or ads it is. */
    content?: string | null;
    /** @description utm_medium: the kind of channel, such as email. */
    medium?: string | null;
    /** @description utm_source: where visitors come from, such as newsletter. */
    source?: string | null;
    /** @description utm_term: the paid keyword. */
    term?: string | null;
}

export interface LinkCount {
    /** @description The number of links that match the filters. */
    count: number;
    /** @description In descending order of count; null without group_by. */
    data: LinkGroup[] | null;
}

export interface LinkGroup {
    /** @description The status, tag or domain; null for links without a tag. */
    key: string | null;
    /** @description The number of links in the group. */
    count: number;
}

export interface UpdateLink {
    /** @description true archives the link, false lets it work again. */
    archived?: boolean;
    /** @description Clicks of people after which the link is expired. */
    click_limit?: number | null;
    /** @description Free-form payload for the app, at most 16 KiB. */
    data?: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: destination
     * @description An http(s) URL, or one with the scheme of an app of the project.
     */
    destination?: string;
    /**
     * Format: host
     * @description Host of the short URL; unset: the default domain of the project.
     */
    domain?: string;
    /**
     * Format: destination
     * @description Where visitors go once the link is expired; null: as the domain says.
     */
    expired_destination?: string | null;
    /** @description From this time the link is expired. A time in the past is allowed: it ends the link at once, and expired links can be imported. The answer shows it in `status`. */
    expires_at?: Time | null;
    /** @description Your own id, unique in the project; null: none. */
    external_id?: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description How long after a click an install can match it, in seconds; null: as the project says. */
    match_window_seconds?: number | null;
    /** @description Notes for your team; never shown to visitors. */
    notes?: string | null;
    /** @description Visitors are asked for it. Stored as an argon2id hash and never returned; null removes it. */
    password?: string | null;
    /** @description What social networks show; null: what the destination says. */
    preview?: PreviewInput | null;
    /** @description Rules and a split that choose another destination; null: none. */
    routing?: Routing | null;
    /**
     * Format: slug
     * @description Unset at creation: 7 characters are generated.
     */
    slug?: string;
    /** @description Before this time the link does not redirect. */
    starts_at?: Time | null;
    /** @description Names; unknown ones are created. */
    tags?: string[] | null;
    /** @description A name for your team; visitors never see it, only preview.title. */
    title?: string | null;
    /** @description Campaign parameters that are added to the destination; null: none. */
    utm?: UtmInput | null;
}

export interface UpsertLink {
    /** @description true archives the link, also a new one; false lets it work again. */
    archived?: boolean;
    /** @description Clicks of people after which the link is expired. */
    click_limit?: number | null;
    /** @description Free-form payload for the app, at most 16 KiB. */
    data?: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: destination
     * @description Required if there is no link with this external id yet.
     */
    destination?: string;
    /**
     * Format: host
     * @description Host of the short URL; unset: the default domain of the project.
     */
    domain?: string;
    /**
     * Format: destination
     * @description Where visitors go once the link is expired; null: as the domain says.
     */
    expired_destination?: string | null;
    /** @description From this time the link is expired. A time in the past is allowed: it ends the link at once, and expired links can be imported. The answer shows it in `status`. */
    expires_at?: Time | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description How long after a click an install can match it, in seconds; null: as the project says. */
    match_window_seconds?: number | null;
    /** @description Notes for your team; never shown to visitors. */
    notes?: string | null;
    /** @description Visitors are asked for it. Stored as an argon2id hash and never returned; null removes it. */
    password?: string | null;
    /** @description What social networks show; null: what the destination says. */
    preview?: PreviewInput | null;
    /** @description Rules and a split that choose another destination; null: none. */
    routing?: Routing | null;
    /**
     * Format: slug
     * @description Unset at creation: 7 characters are generated.
     */
    slug?: string;
    /** @description Before this time the link does not redirect. */
    starts_at?: Time | null;
    /** @description Names; unknown ones are created. */
    tags?: string[] | null;
    /** @description A name for your team; visitors never see it, only preview.title. */
    title?: string | null;
    /** @description Campaign parameters that are added to the destination; null: none. */
    utm?: UtmInput | null;
}

export interface Trace {
    /** @description Every step, in the order of the router. */
    steps: TraceStep[];
    /** @description Where the visitor ends up. */
    outcome: TraceOutcome;
}

export interface TraceStep {
    /** @description flagged, archived, scheduled, expired, password, the name of a rule or split entry as clicks show it, destination, or for links that open apps open_app. */
    rule: string;
    /** @description Whether this step decided. The steps password and open_app do not end the trace. */
    matched: boolean;
    /** @description The reason as a sentence. */
    why: string;
}

export interface TraceOutcome {
    /**
     * @description redirect, app (destination is an intent, a store or the fallback of the link, without the token of a click), password (then destination is where the right one leads), not_found, flagged or expired.
     * @enum {string}
     */
    kind: "redirect" | "app" | "password" | "not_found" | "flagged" | "expired";
    /** @description Null: a page. */
    destination: string | null;
}

export interface BulkCreateLinks {
    /** @description Links as POST /links takes them, in the spelling of REST. A bad one fails alone. */
    links: CreateLink[];
}

export interface BulkCreate {
    /** @description Shared by the links that it created; a filter of lists. */
    batch_id: string;
    /** @description How many succeeded and failed. */
    counts: BulkCreateCounts;
    /** @description One entry for each link, in the order sent. */
    results: BulkResult[];
}

export interface BulkCreateCounts {
    /** @description Links that were created. */
    created: number;
    /** @description Links that failed. */
    failed: number;
}

export interface BulkResult {
    /** @description Index in the list that was sent, from 0. */
    index: number;
    /**
     * @description created, updated, unchanged, deleted or failed.
     * @enum {string}
     */
    status: "created" | "updated" | "unchanged" | "deleted" | "failed";
    /** @description The link; a deleted one as it was before. */
    link: Link | null;
    /** @description Why it failed; null if it did not. */
    error: BulkError | null;
}

export interface BulkError {
    /** @description The error code that a single call would have answered. */
    code: ErrorCode;
    /** @description What is wrong and what to do, as a sentence. */
    message: string;
    /** @description Every bad field, for validation_failed only. */
    fields: FieldProblem[] | null;
}

export type ErrorCode = "invalid_json" | "invalid_request" | "invalid_token" | "missing_key" | "invalid_key" | "invalid_credentials" | "not_signed_in" | "second_factor_required" | "publishable_key_refused" | "secret_key_refused" | "insufficient_scope" | "team_read_only" | "account_limit_reached" | "email_unconfirmed" | "account_deleted" | "sign_up_closed" | "wrong_account" | "not_found" | "method_not_allowed" | "request_timeout" | "slug_taken" | "conflict" | "idempotency_in_progress" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "destination_refused" | "idempotency_key_reused" | "rate_limited" | "internal_error" | "unavailable";

export interface FieldProblem {
    /** @description The field, with dots between its parts: in the results of lists as REST spells it, in drafts from the argument on, such as input.expiresAt. */
    path: string;
    /** @description What is wrong and what to do, as a sentence. */
    message: string;
}

export interface BulkUpsertLinks {
    /** @description Links as PUT /links/external/{external_id} takes them, each with its external_id, in the spelling of REST. A bad one fails alone. */
    links: UpsertLinkRow[];
}

export interface UpsertLinkRow {
    /** @description true archives the link, also a new one; false lets it work again. */
    archived?: boolean;
    /** @description Clicks of people after which the link is expired. */
    click_limit?: number | null;
    /** @description Free-form payload for the app, at most 16 KiB. */
    data?: {
        [key: string]: unknown;
    } | null;
    /**
     * Format: destination
     * @description Required if there is no link with this external id yet.
     */
    destination?: string;
    /**
     * Format: host
     * @description Host of the short URL; unset: the default domain of the project.
     */
    domain?: string;
    /**
     * Format: destination
     * @description Where visitors go once the link is expired; null: as the domain says.
     */
    expired_destination?: string | null;
    /** @description From this time the link is expired. A time in the past is allowed: it ends the link at once, and expired links can be imported. The answer shows it in `status`. */
    expires_at?: Time | null;
    /** @description Your own id, unique in the project: the link that has it is changed. */
    external_id: string;
    /** @description The link that gets this external id, which it has not yet; unset: the one that has it. */
    id?: string;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description How long after a click an install can match it, in seconds; null: as the project says. */
    match_window_seconds?: number | null;
    /** @description Notes for your team; never shown to visitors. */
    notes?: string | null;
    /** @description Visitors are asked for it. Stored as an argon2id hash and never returned; null removes it. */
    password?: string | null;
    /** @description What social networks show; null: what the destination says. */
    preview?: PreviewInput | null;
    /** @description Rules and a split that choose another destination; null: none. */
    routing?: Routing | null;
    /**
     * Format: slug
     * @description Unset at creation: 7 characters are generated.
     */
    slug?: string;
    /** @description Before this time the link does not redirect. */
    starts_at?: Time | null;
    /** @description Names; unknown ones are created. */
    tags?: string[] | null;
    /** @description A name for your team; visitors never see it, only preview.title. */
    title?: string | null;
    /** @description Campaign parameters that are added to the destination; null: none. */
    utm?: UtmInput | null;
}

export interface BulkUpsert {
    /** @description Shared by the links that it created; a filter of lists. */
    batch_id: string;
    /** @description How many were created, changed, left as they are, and failed. */
    counts: BulkUpsertCounts;
    /** @description One entry for each link, in the order sent. */
    results: BulkResult[];
}

export interface BulkUpsertCounts {
    /** @description Links that were created. */
    created: number;
    /** @description Links that were changed. */
    updated: number;
    /** @description Links that were already as sent; nothing was written. */
    unchanged: number;
    /** @description Links that failed. */
    failed: number;
}

export interface BulkUpdateLinks {
    /** @description Tags that each link gets in addition to its own. */
    add_tags?: string[] | null;
    /** @description Ids, or `ext_` and your own ids. */
    ids: string[];
    /** @description Tags that each link loses. */
    remove_tags?: string[] | null;
    /** @description What PATCH /links/{id} takes. */
    set?: UpdateLink | null;
}

export interface BulkUpdate {
    /** @description Names this call in events. */
    batch_id: string;
    /** @description How many succeeded and failed. */
    counts: BulkUpdateCounts;
    /** @description One entry for each link, in the order sent. */
    results: BulkResult[];
}

export interface BulkUpdateCounts {
    /** @description Links that were changed. */
    updated: number;
    /** @description Links that failed. */
    failed: number;
}

export interface BulkDeleteLinks {
    /** @description Ids, or `ext_` and your own ids. */
    ids: string[];
}

export interface BulkDelete {
    /** @description Names this call in events. */
    batch_id: string;
    /** @description How many succeeded and failed. */
    counts: BulkDeleteCounts;
    /** @description One entry for each link, in the order sent. */
    results: BulkResult[];
}

export interface BulkDeleteCounts {
    /** @description Links that were deleted. */
    deleted: number;
    /** @description Links that failed. */
    failed: number;
}

export interface WebhookPage {
    /** @description The rows of the page. */
    data: Webhook[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Webhook {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description Null: team-wide. */
    project_id: string | null;
    /** @description Where events are sent. */
    url: string;
    /** @description A note for people. */
    description: string | null;
    /** @description The event types that are sent; ["*"] for all. */
    event_types: Subscription[];
    /** @description The scope of its events: {project_id}, {link_id} or {tag_id}; null for the whole team. */
    scope: {
        [key: string]: unknown;
    } | null;
    /** @description Whether link.clicked is also sent for bots and scanners. */
    include_bots: boolean;
    /** @description How events are gathered into one request; null: each is sent by itself. */
    batch: WebhookBatch | null;
    /** @description The most requests that are in flight to it at once. */
    max_in_flight: number;
    /** @description Your own id, unique in the project; null: none. */
    external_id: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by: string | null;
    /**
     * @description enabled or disabled.
     * @enum {string}
     */
    status: "enabled" | "disabled";
    /**
     * @description manual: by hand; failures: too many in a row; gone: the receiver answered 410; null while enabled.
     * @enum {string|null}
     */
    disabled_reason: "manual" | "failures" | "gone" | null;
    /**
     * @description closed, or open while deliveries are held back.
     * @enum {string}
     */
    circuit: "closed" | "open";
    /** @description Attempts that failed since the last success. */
    consecutive_failures: number;
    /** @description Version of the envelopes; pinned at creation. */
    api_version: string;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export type Subscription = "*" | "link.created" | "link.updated" | "link.archived" | "link.flagged" | "link.deleted" | "links.imported" | "link.clicked" | "app.installed" | "app.opened" | "app.event" | "health.failed" | "health.recovered" | "domain.verified" | "alert.created";

export interface WebhookBatch {
    /** @description The most events in one request. A request has fewer where they would make more than a megabyte. */
    max_events: number;
    /** @description The longest time in seconds that an event waits for others. */
    max_wait_seconds: number;
}

export interface CreateWebhook {
    /** @description Sends events of a project together, as {"type": "batch", "events": […]}; null: each by itself. */
    batch?: WebhookBatchInput | null;
    /** @description A note for people. */
    description?: string | null;
    /** @description ["*"], the default, for all. */
    event_types?: Subscription[];
    /** @description Your own id, unique in the project; null: none. */
    external_id?: string | null;
    /** @description Whether link.clicked is also sent for bots and scanners; false when nothing is said. */
    include_bots?: boolean;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description The most requests that are in flight to it at once; 10 when nothing is said. */
    max_in_flight?: number;
    /** @description Unset: the whole project. */
    scope?: WebhookScope | null;
    /**
     * Format: uri
     * @description https, a public address, no user name or password.
     */
    url: string;
}

export interface WebhookBatchInput {
    /** @description The most events in one request. A request has fewer where they would make more than a megabyte. */
    max_events: number;
    /** @description The longest time in seconds that an event waits for others. */
    max_wait_seconds: number;
}

export interface WebhookScope {
    /** @description Events of this link. */
    link_id?: string | null;
    /** @description Events of this project. */
    project_id?: string | null;
    /** @description Events of links with this tag. */
    tag_id?: string | null;
}

export interface CreatedWebhook {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description Null: team-wide. */
    project_id: string | null;
    /** @description Where events are sent. */
    url: string;
    /** @description A note for people. */
    description: string | null;
    /** @description The event types that are sent; ["*"] for all. */
    event_types: Subscription[];
    /** @description The scope of its events: {project_id}, {link_id} or {tag_id}; null for the whole team. */
    scope: {
        [key: string]: unknown;
    } | null;
    /** @description Whether link.clicked is also sent for bots and scanners. */
    include_bots: boolean;
    /** @description How events are gathered into one request; null: each is sent by itself. */
    batch: WebhookBatch | null;
    /** @description The most requests that are in flight to it at once. */
    max_in_flight: number;
    /** @description Your own id, unique in the project; null: none. */
    external_id: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by: string | null;
    /**
     * @description enabled or disabled.
     * @enum {string}
     */
    status: "enabled" | "disabled";
    /**
     * @description manual: by hand; failures: too many in a row; gone: the receiver answered 410; null while enabled.
     * @enum {string|null}
     */
    disabled_reason: "manual" | "failures" | "gone" | null;
    /**
     * @description closed, or open while deliveries are held back.
     * @enum {string}
     */
    circuit: "closed" | "open";
    /** @description Attempts that failed since the last success. */
    consecutive_failures: number;
    /** @description Version of the envelopes; pinned at creation. */
    api_version: string;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
    /** @description Signs the deliveries; the whole string is the HMAC key. */
    secret: string;
}

export interface UpdateWebhook {
    /** @description Sends events of a project together, as {"type": "batch", "events": […]}; null: each by itself. */
    batch?: WebhookBatchInput | null;
    /** @description A note for people. */
    description?: string | null;
    /** @description ["*"], the default, for all. */
    event_types?: Subscription[];
    /** @description Your own id, unique in the project; null: none. */
    external_id?: string | null;
    /** @description Whether link.clicked is also sent for bots and scanners; false when nothing is said. */
    include_bots?: boolean;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description The most requests that are in flight to it at once; 10 when nothing is said. */
    max_in_flight?: number;
    /** @description Unset: the whole project. */
    scope?: WebhookScope | null;
    /**
     * Format: uri
     * @description https, a public address, no user name or password.
     */
    url?: string;
}

export interface RotateSecret {
    /**
     * @description How long the previous secrets go on signing too; 0 ends them at once.
     * @default 86400
     */
    expire_previous_seconds?: number;
}

export interface TestWebhook {
    /** @description The event type of the sample. */
    type: EventType;
}

export type EventType = "link.created" | "link.updated" | "link.archived" | "link.flagged" | "link.deleted" | "links.imported" | "link.clicked" | "app.installed" | "app.opened" | "app.event" | "health.failed" | "health.recovered" | "domain.verified" | "alert.created";

export interface Delivery {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project of the events; null for events of the whole team. */
    project_id: string | null;
    /** @description The webhook that it is sent to. */
    webhook_id: string;
    /** @description The event that is sent; for a batch the id of the delivery itself. */
    event_id: string;
    /** @description The type of the event, or batch. */
    event_type: DeliveredType;
    /** @description The number of events in the request; 1 unless it is a batch. */
    event_count: number;
    /** @description A sample that was requested by hand. */
    test: boolean;
    /**
     * @description pending, succeeded, failed or cancelled.
     * @enum {string}
     */
    status: "pending" | "succeeded" | "failed" | "cancelled";
    /** @description The number of attempts. */
    attempt_count: number;
    /** @description When it is sent next; null when nothing more is planned. */
    next_attempt_at: Time | null;
    /** @description The request body, byte for byte. Null for batches in a list, which have up to a megabyte each. */
    request_body: string | null;
    /** @description Every request to the receiver, in order. */
    attempts: Attempt[];
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export type DeliveredType = "link.created" | "link.updated" | "link.archived" | "link.flagged" | "link.deleted" | "links.imported" | "link.clicked" | "app.installed" | "app.opened" | "app.event" | "health.failed" | "health.recovered" | "domain.verified" | "alert.created" | "batch";

export interface Attempt {
    /** @description From 1. */
    number: number;
    /** @description When it was sent. */
    at: Time;
    /** @description Whether it was sent by hand. */
    manual: boolean;
    /** @description How long it took, in milliseconds. */
    duration_ms: number;
    /** @description The HTTP status of the response; null without one. */
    status_code: number | null;
    /** @description The headers of the response; null without one. */
    response_headers: {
        [key: string]: unknown;
    } | null;
    /** @description The first 4 KiB. */
    response_body: string | null;
    /**
     * @description Why it failed; null for a success.
     * @enum {string|null}
     */
    error: "dns" | "connect" | "tls" | "timeout" | "reset" | "blocked_address" | "bad_response" | "status" | null;
    /** @description The URL it was sent to; null for attempts made before this was stored. */
    url: string | null;
    /** @description As sent, without Host, Content-Length and Connection; null when url is null. */
    request_headers: {
        [key: string]: unknown;
    } | null;
}

export interface ReplayInput {
    /** @description Events created at this time or later, within the last 30 days. */
    since: Time;
    /**
     * @description failed: deliveries that failed or were cancelled; missing: matching events without a delivery; all: both, and deliveries that have succeeded or are pending.
     * @default failed
     * @enum {string}
     */
    status?: "failed" | "missing" | "all";
    /** @description Events created before this time; defaults to now. */
    until?: Time | null;
}

export interface Replay {
    /** @description The number of deliveries that will be sent. */
    count: number;
}

export interface DeliveryPage {
    /** @description The rows of the page. */
    data: Delivery[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Analytics {
    /**
     * @description What was counted.
     * @enum {string}
     */
    event: "click" | "install" | "open" | "app_event" | "orphan";
    /**
     * @description What the rows are grouped by.
     * @enum {string}
     */
    group_by: "none" | "time" | "country" | "region" | "city" | "platform" | "device" | "browser" | "language" | "referrer_host" | "link" | "tag" | "domain" | "slug" | "destination" | "rule" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "traffic_class" | "event_name" | "app_version" | "match_method";
    /** @description Inclusive. */
    start: Time;
    /** @description Exclusive. */
    end: Time;
    /** @description The IANA time zone of the days and hours. */
    timezone: string;
    /** @description Null: every click is in the answer. Otherwise so many wait to be counted, as after an outage, that the answer has every click up to this moment, and of later ones those that are counted. */
    as_of: Time | null;
    /**
     * @description The length of a row in time; null unless grouped by time.
     * @enum {string|null}
     */
    granularity: "minute" | "hour" | "day" | "week" | "month" | null;
    /** @description The figures of everything that matched. */
    total: AnalyticsFigures;
    /** @description The groups: in the order of time, else the largest first; empty when grouped by none. */
    data: AnalyticsRow[];
    /** @description The sum of what limit cut off. */
    others: AnalyticsFigures | null;
}

export interface AnalyticsFigures {
    /** @description The number of events. */
    count: number;
    /** @description The sum of each UTC day's distinct visitors; of apps: installs. */
    unique: number;
    /** @description For app events alone: a list of `{currency, sum}`, exact sums of their values by currency; null for values without one. */
    values: CurrencySum[] | null;
}

export interface CurrencySum {
    currency: string | null;
    sum: number;
}

export interface AnalyticsRow {
    /** @description Null: unknown. */
    key: string | null;
    /** @description The number of events. */
    count: number;
    /** @description The sum of each UTC day's distinct visitors; of apps: installs. */
    unique: number;
    /** @description For app events alone: a list of `{currency, sum}`, exact sums of their values by currency; null for values without one. */
    values: CurrencySum[] | null;
}

export interface TagPage {
    /** @description The rows of the page. */
    data: Tag[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Tag {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /** @description Unique in the project without regard to case. */
    name: string;
    /** @description `#rrggbb`, or one of red, orange, yellow, green, teal, blue, indigo, purple, pink, brown, gray, black. */
    color: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by: string | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface CreateTag {
    /** @description `#rrggbb`, or one of red, orange, yellow, green, teal, blue, indigo, purple, pink, brown, gray, black. */
    color?: TagColor | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description Unique in the project without regard to case. */
    name: string;
}

export type TagColor = string;

export interface UpdateTag {
    /** @description `#rrggbb`, or one of red, orange, yellow, green, teal, blue, indigo, purple, pink, brown, gray, black. */
    color?: TagColor | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /** @description Unique in the project without regard to case. */
    name?: string;
}

export interface DomainPage {
    /** @description The rows of the page. */
    data: Domain[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Domain {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /** @description Lower case, punycode. */
    hostname: string;
    /**
     * @description link: short links are followed on it; web: pages on it open apps.
     * @enum {string}
     */
    kind: "link" | "web";
    /**
     * @description pending: never verified; verified; failing: was verified and is no more, but still served.
     * @enum {string}
     */
    status: "pending" | "verified" | "failing";
    /** @description What to set: one ownership record is enough; a link domain also needs its routing. */
    verification: DomainRecord[];
    /** @description What the last look found and what to do; null: all is well. */
    problem: string | null;
    /** @description Of the last look. */
    checked_at: Time | null;
    /** @description When the domain was first verified; null before. */
    verified_at: Time | null;
    /** @description Where / of a link domain leads; null: a page. */
    root_destination: string | null;
    /** @description Where unknown slugs of a link domain lead; null: a page. */
    not_found_destination: string | null;
    /** @description Where links of the domain lead that are over and say nothing else; null: a page. */
    expired_destination: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by: string | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface DomainRecord {
    /** @description Of the record; of a file its URL. */
    name: string;
    /**
     * @description TXT, CNAME, A, AAAA, FILE.
     * @enum {string}
     */
    type: "TXT" | "CNAME" | "A" | "AAAA" | "FILE";
    /** @description Of the record; of a file all of its text. */
    value: string;
    /**
     * @description ownership: says whose the name is; routing: leads visitors here.
     * @enum {string}
     */
    purpose: "ownership" | "routing";
    /** @description What to paste where, for people to read. */
    about: string;
    /** @description What the last check found there; null before the first check, or if no name server answered. */
    found: string[] | null;
    /** @description Whether the last look found it as it must be. */
    is_set: boolean;
}

export interface CreateDomain {
    /**
     * Format: uri
     * @description Where expired links of the domain lead that have no destination of their own for that; null: a page.
     */
    expired_destination?: string | null;
    /** @description Such as go.example.com; also with letters beyond ASCII. */
    hostname: string;
    /**
     * @description link: short links are followed on it; web: pages on it open apps.
     * @default link
     * @enum {string}
     */
    kind?: "link" | "web";
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /**
     * Format: uri
     * @description Where unknown slugs of a link domain lead; null: a page.
     */
    not_found_destination?: string | null;
    /**
     * Format: uri
     * @description Where / of a link domain leads; null: a page.
     */
    root_destination?: string | null;
}

export interface UpdateDomain {
    /**
     * Format: uri
     * @description Where expired links of the domain lead that have no destination of their own for that; null: a page.
     */
    expired_destination?: string | null;
    /** @description What manages it, such as `code:marketing` for the stack marketing of links as code; null: nobody but people. */
    managed_by?: string | null;
    /**
     * Format: uri
     * @description Where unknown slugs of a link domain lead; null: a page.
     */
    not_found_destination?: string | null;
    /**
     * Format: uri
     * @description Where / of a link domain leads; null: a page.
     */
    root_destination?: string | null;
}

export interface EventPage {
    /** @description The rows of the page. */
    data: Event[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export type Event = LinkCreatedEvent | LinkUpdatedEvent | LinkArchivedEvent | LinkFlaggedEvent | LinkDeletedEvent | LinksImportedEvent | LinkClickedEvent | AppInstalledEvent | AppOpenedEvent | AppEventEvent | HealthFailedEvent | HealthRecoveredEvent | DomainVerifiedEvent | AlertCreatedEvent;

export interface LinkCreatedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.created";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        link: Link;
    };
}

export interface LinkUpdatedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.updated";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        link: Link;
        /** @description Every field that changed. */
        changes: {
            [key: string]: {
                from: unknown;
                to: unknown;
            };
        };
    };
}

export interface LinkArchivedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.archived";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        link: Link;
    };
}

export interface LinkFlaggedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.flagged";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        link: Link;
        reason: string;
    };
}

export interface LinkDeletedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.deleted";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        link: Link;
    };
}

export interface LinksImportedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "links.imported";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        batch_id: string;
        /** @enum {string} */
        source: "bulk" | "csv";
        /** @enum {string} */
        action: "create" | "update" | "upsert" | "delete";
        /** @description The counts of the bulk request or import. */
        counts: {
            created: number;
            failed: number;
        } | {
            updated: number;
            failed: number;
        } | {
            deleted: number;
            failed: number;
        } | {
            created: number;
            updated: number;
            skipped: number;
            failed: number;
        };
        link_ids: string[];
        link_ids_truncated: boolean;
    };
}

export interface LinkClickedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "link.clicked";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        click: {
            id: string;
            occurred_at: Time;
            /** @enum {string} */
            traffic_class: "human" | "bot" | "scanner";
            /** @description ISO 3166-1 alpha-2. */
            country: string | null;
            region: string | null;
            city: string | null;
            /** @enum {string} */
            platform: "ios" | "android" | "windows" | "macos" | "linux" | "other";
            /** @enum {string} */
            device: "mobile" | "tablet" | "desktop";
            browser: string | null;
            referrer_host: string | null;
            language: string | null;
            /** @description The destination, before parameters were added. */
            destination: string | null;
            /** @description Name of the rule or split entry that chose the destination. */
            rule: string | null;
            utm: {
                source: string | null;
                medium: string | null;
                campaign: string | null;
                term: string | null;
                content: string | null;
            } | null;
        };
        link: {
            id: string;
            domain: string;
            slug: string;
            short_url: string;
            external_id: string | null;
            tags: string[];
        };
    };
}

export interface AppInstalledEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "app.installed";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        install: {
            id: string;
            /** @description The UUID that the SDK generated. */
            install_id: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            app_version: string | null;
            os_version: string | null;
            first_opened_at: Time;
        };
        match: Match;
        click_id: string | null;
        link: OpenedLink | null;
    };
}

export interface Match {
    /** @description Whether the opening was traced back to a click. */
    matched: boolean;
    /**
     * @description link, referrer, clipboard, probabilistic or none.
     * @enum {string}
     */
    method: "link" | "referrer" | "clipboard" | "probabilistic" | "none";
    /** @description 100, or of a guess: of those that say n, n in a hundred are right; at most 99. */
    confidence: number;
    /** @description Of a guess the sum of its factors; else null. */
    score: number | null;
    /** @description The match is not probabilistic: the app sent the URL of the link or the token of a click. This does not prove that the request came from a real device. */
    guaranteed: boolean;
    /** @description What spoke for it, or why nothing was found. */
    factors: MatchFactor[];
    /** @description When the link was clicked; null without a match. */
    clicked_at: Time | null;
}

export interface MatchFactor {
    /** @description What was compared, or why nothing was found. */
    name: string;
    /** @description What it was worth; negative: it spoke against. */
    points: number;
}

export interface OpenedLink {
    id: string;
    slug: string;
    domain: string;
    short_url: string;
    destination: string;
    data: {
        [key: string]: unknown;
    };
}

export interface AppOpenedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "app.opened";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        open_id: string;
        /** @description The UUID that the SDK generated. */
        install_id: string;
        /** @enum {string} */
        platform: "ios" | "android" | "web";
        direct: boolean;
        match: Match;
        link: OpenedLink | null;
    };
}

export interface AppEventEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "app.event";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        event: {
            id: string;
            name: string;
            occurred_at: Time;
            value: number | null;
            currency: string | null;
            properties: {
                [key: string]: unknown;
            } | null;
            /** @description The value is above the `max_event_value` of the project, so it is not included in analytics. */
            outlier: boolean;
        };
        /** @description The UUID that the SDK generated. */
        install_id: string;
        link: OpenedLink | null;
    };
}

export interface HealthFailedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "health.failed";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        checks: {
            name: string;
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "skip";
            message: string;
            since: Time | null;
        }[];
    };
}

export interface HealthRecoveredEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "health.recovered";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        checks: {
            name: string;
            /** @enum {string} */
            status: "pass" | "warn" | "fail" | "skip";
            message: string;
            since: Time | null;
        }[];
    };
}

export interface DomainVerifiedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "domain.verified";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string;
    test: boolean;
    data: {
        domain: Domain;
    };
}

export interface AlertCreatedEvent {
    id: string;
    /**
     * @description discriminator enum property added by openapi-typescript
     * @enum {string}
     */
    type: "alert.created";
    api_version: string;
    created_at: Time;
    team_id: string;
    project_id: string | null;
    test: boolean;
    data: {
        alert: Alert;
    };
}

export interface Alert {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description Null for an alert of the whole team. */
    project_id: string | null;
    /**
     * @description health, traffic_anomaly, link_flagged, webhook_disabled, billing, domain, security, lost_journal.
     * @enum {string}
     */
    kind: "health" | "traffic_anomaly" | "link_flagged" | "webhook_disabled" | "billing" | "domain" | "security" | "lost_journal";
    /**
     * @description info, warning or critical.
     * @enum {string}
     */
    severity: "info" | "warning" | "critical";
    /** @description What happened, in a few words. */
    title: string;
    /** @description What happened and what to do, in sentences. */
    message: string;
    /** @description The link that it is about; null if it is about no link. */
    link_id: string | null;
    /** @description The webhook that it is about; null if it is about no webhook. */
    webhook_id: string | null;
    /** @description Figures behind the message; the fields depend on the kind. */
    details: {
        [key: string]: unknown;
    };
    /** @description When someone first acknowledged it. */
    acknowledged_at: Time | null;
    /** @description When the problem was over. */
    resolved_at: Time | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface KeyPage {
    /** @description The rows of the page. */
    data: Key[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Key {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /** @description A name for people. */
    name: string;
    /**
     * @description secret or publishable.
     * @enum {string}
     */
    kind: "secret" | "publishable";
    /** @description Without wildcards; empty for a publishable key. */
    scopes: ("projects:read" | "projects:write" | "links:read" | "links:write" | "tags:read" | "tags:write" | "domains:read" | "domains:write" | "analytics:read" | "events:read" | "installs:read" | "installs:write" | "webhooks:read" | "webhooks:write" | "alerts:read" | "alerts:write" | "health:read" | "health:write" | "keys:read" | "keys:write")[];
    /** @description The key itself: a secret key is shown only when it is created. */
    key: string | null;
    /** @description The last four characters, to tell keys apart. */
    last_four: string;
    /** @description At most a minute old. */
    last_used_at: Time | null;
    /** @description When it ends, also because its creator has left the team. */
    expires_at: Time | null;
    /** @description When the key ended; null while it works. */
    revoked_at: Time | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface CurrentKey {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description A name for people. */
    name: string;
    /** @description Without wildcards. */
    scopes: ("projects:read" | "projects:write" | "links:read" | "links:write" | "tags:read" | "tags:write" | "domains:read" | "domains:write" | "analytics:read" | "events:read" | "installs:read" | "installs:write" | "webhooks:read" | "webhooks:write" | "alerts:read" | "alerts:write" | "health:read" | "health:write" | "keys:read" | "keys:write")[];
    /** @description Its project. */
    project: ProjectOfKey;
    /** @description The team of that project. */
    team: TeamOfKey;
    /** @description When it ends; null: it does not. */
    expires_at: Time | null;
    /** @description For assistants, through /mcp. */
    write_budget: WriteBudget;
}

export interface ProjectOfKey {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The name of the project. */
    name: string;
    /** @description The host of new links. */
    default_domain: string;
}

export interface TeamOfKey {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The name of the team. */
    name: string;
    /**
     * @description active, or read_only in survival mode.
     * @enum {string}
     */
    status: "active" | "read_only";
    /** @description Why nothing can be changed; null while everything can. */
    read_only_reason: string | null;
}

export interface WriteBudget {
    /** @description Records per hour. */
    limit: number;
    /** @description Records that are left. */
    remaining: number;
    /** @description Seconds until the whole limit is available again. */
    reset_seconds: number;
}

export interface CreateKey {
    /** @description In the future; unset: it never expires. */
    expires_at?: Time | null;
    /**
     * @description secret (the default) for servers, publishable for apps.
     * @enum {string}
     */
    kind?: "secret" | "publishable";
    /** @description A name for people. */
    name: string;
    /** @description ["*"] and ["*:read"] stand for the scopes that they cover; unset: every scope. A publishable key has none. */
    scopes?: ("*" | "*:read" | "projects:read" | "projects:write" | "links:read" | "links:write" | "tags:read" | "tags:write" | "domains:read" | "domains:write" | "analytics:read" | "events:read" | "installs:read" | "installs:write" | "webhooks:read" | "webhooks:write" | "alerts:read" | "alerts:write" | "health:read" | "health:write" | "keys:read" | "keys:write")[];
}

export interface RollKey {
    /**
     * @description How long the old key goes on working; 0: it ends at once.
     * @default 86400
     */
    expire_previous_seconds?: number;
}

export interface AlertPage {
    /** @description The rows of the page. */
    data: Alert[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Health {
    /**
     * @description passing, failing or unknown.
     * @enum {string}
     */
    status: "passing" | "failing" | "unknown";
    /** @description When the last run ended; null before the first. */
    checked_at: Time | null;
    /** @description Every check there is. */
    checks: HealthCheck[];
}

export interface HealthCheck {
    /** @description The name of the check. */
    name: string;
    /**
     * @description pass, warn, fail or skip. fail only after two runs in a row that failed.
     * @enum {string}
     */
    status: "pass" | "warn" | "fail" | "skip";
    /** @description What was found, and what to do about it. */
    message: string;
    /** @description Since when the status is what it is; null before the first run. */
    since: Time | null;
}

export interface ImportPage {
    /** @description The rows of the page. */
    data: Import[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Import {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /**
     * @description The program that wrote the file; svc is our own export.
     * @enum {string}
     */
    source_format: "svc" | "bitly" | "dub" | "short_io" | "rebrandly" | "firebase" | "branch";
    /**
     * @description pending, running, finished, failed or cancelled.
     * @enum {string}
     */
    status: "pending" | "running" | "finished" | "failed" | "cancelled";
    /** @description No link is written; the counts show what would happen. */
    dry_run: boolean;
    /**
     * @description What happens to links that exist already: skip, update or fail.
     * @enum {string}
     */
    on_conflict: "skip" | "update" | "fail";
    /** @description Shared by the links that it created. */
    batch_id: string;
    /** @description What became of its rows until now. */
    counts: ImportCounts;
    /** @description From 0 to 1. */
    progress: number;
    /** @description Columns of the file that are not imported. */
    unknown_columns: string[];
    /** @description Why the import as a whole failed, or what it waits for. */
    message: string | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
    /** @description When it ended, in whatever way; null before. */
    finished_at: Time | null;
}

export interface ImportCounts {
    /** @description Rows of the file below its header without empty ones. When the import has finished, a row with several links counts for each. */
    rows: number;
    /** @description Links that were created. */
    created: number;
    /** @description Links that were changed. */
    updated: number;
    /** @description Links that existed already, or were already as in the file. */
    skipped: number;
    /** @description Rows that failed; see importErrors. */
    failed: number;
}

export interface InstallPage {
    /** @description The rows of the page. */
    data: Install[];
    /** @description The cursor of the next page; null on the last one. */
    next_cursor: string | null;
}

export interface Install {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The project that it belongs to. */
    project_id: string;
    /** @description The UUID that its SDK made. */
    install_id: string;
    /**
     * @description ios, android or web.
     * @enum {string}
     */
    platform: "ios" | "android" | "web";
    /** @description The version of the app when it was opened first; null when unknown. */
    app_version: string | null;
    /** @description The version of the operating system; null when unknown. */
    os_version: string | null;
    /** @description When the app was opened for the first time. */
    first_opened_at: Time;
    /** @description Whether and how the install was traced back to a click. */
    match: Match;
    /** @description When a guess was taken back: another install brought the token of the click. */
    match_revised_at: Time | null;
    /** @description The click that led to it; null without a match. */
    click_id: string | null;
    /** @description The link that led to it; null without a match. */
    link_id: string | null;
    /** @description When it was created. */
    created_at: Time;
    /** @description When it was last changed. */
    updated_at: Time;
}

export interface MatchReport {
    /** @description Null for what was made up. */
    install_id: string | null;
    /** @description The outcome. */
    match: Match;
    /** @description When a guess was taken back: another install brought the token of the click. */
    match_revised_at: Time | null;
    /** @description The click that matched; null without a match. */
    click_id: string | null;
    /** @description The link that matched; null without a match. */
    link_id: string | null;
    /** @description A sentence for people. */
    why: string;
    /** @description Points that a match needs. */
    threshold: number;
    /** @description Points that it must be ahead of the best click on another link. */
    required_margin: number;
    /** @description Points that it was ahead; null: there was no click on another. */
    margin: number | null;
    /** @description Null: no clicks were compared. */
    address: MatchedAddress | null;
    /** @description Tokens of clicks that the app brought, with what became of each. */
    tokens: MatchedToken[];
    /** @description What was compared; null: nothing was. */
    device: {
        [key: string]: unknown;
    } | null;
    /** @description The best first, at most 20. */
    candidates: MatchCandidate[];
}

export interface MatchedAddress {
    /** @description Many people have it, so it gave no points. */
    shared: boolean;
    /** @description A sentence for people. */
    why: string;
    /** @description Who clicked from there within a day; null: too many to tell. */
    visitors: number | null;
}

export interface MatchedToken {
    /**
     * @description link, referrer or clipboard.
     * @enum {string}
     */
    source: "link" | "referrer" | "clipboard";
    /** @description Whether it decided the match. */
    accepted: boolean;
    /** @description Why it was not accepted, as a word; null if it was. */
    problem: string | null;
    /** @description A sentence for people. */
    why: string;
}

export interface MatchCandidate {
    /** @description The click that was compared. */
    click_id: string;
    /** @description The link that was clicked. */
    link_id: string;
    /** @description When it was clicked. */
    clicked_at: Time;
    /** @description The sum of its factors. */
    score: number;
    /** @description What spoke for and against it. */
    factors: MatchFactor[];
    /**
     * @description matched, or why it was not.
     * @enum {string}
     */
    verdict: "matched" | "used" | "outside_window" | "other_platform" | "link_gone" | "link_flagged" | "other_address" | "not_a_person" | "below_threshold" | "not_the_last" | "ambiguous" | "less_likely";
    /** @description A sentence for people. */
    why: string;
}

export interface SimulateMatch {
    /** @description How many people clicked from the address within a day; those given here when nothing is said. */
    address_visitors?: number | null;
    /** @description The click that should be found. */
    click: SimulatedClick;
    /** @description The opening of the app. */
    open: SimulatedOpen;
    /** @description Other clicks of the same time. */
    other_clicks?: SimulatedClick[] | null;
}

export interface SimulatedClick {
    /** @description The Accept-Language header of the browser. */
    accept_language?: string | null;
    /**
     * Format: ip
     * @description An IP address, which is looked up and not stored; the same on both sides when it is left out.
     */
    address?: string | null;
    /** @description A link of the project (`ext_…` too), for its window; or any word: clicks on the same are on one link. */
    link?: string | null;
    /** @description The screen as the browser reports it. */
    screen?: Screen | null;
    /** @description How long before the opening; 60 when nothing is said. */
    seconds_before?: number | null;
    /** @description The IANA time zone of the phone, such as `Europe/Berlin`. */
    timezone?: string | null;
    /** @description The User-Agent header of the browser. */
    user_agent: string;
}

export interface Screen {
    /** @description The other side, in points. */
    height?: number | null;
    /** @description Pixels in a point. */
    scale?: number | null;
    /** @description The shorter or longer side, in points. */
    width?: number | null;
}

export interface SimulatedOpen {
    /**
     * Format: ip
     * @description An IP address, which is looked up and not stored; the same on both sides when it is left out.
     */
    address?: string | null;
    /** @description The version of the app. */
    app_version?: string | null;
    /** @description false: no probabilistic matching. */
    consent?: boolean | null;
    /** @description The model as the system names it, such as `iPhone15,2`. */
    device_model?: string | null;
    /** @description As `de-DE`. */
    language?: string | null;
    /** @description The version of the operating system. */
    os_version?: string | null;
    /**
     * @description The operating system, or web.
     * @enum {string}
     */
    platform: "ios" | "android" | "web";
    /** @description The screen of the device. */
    screen?: Screen | null;
    /** @description As `Europe/Berlin`. */
    timezone?: string | null;
}

export interface ListProjectsQuery {
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListLinksQuery {
    /** @description Part of slug, destination or title. */
    search?: string;
    /** @description Name of a tag. */
    tag?: string;
    /**
     * Format: host
     * @description Only links on this host.
     */
    domain?: string;
    /**
     * @description Only links with this status.
     * @enum {string}
     */
    status?: "flagged" | "archived" | "scheduled" | "expired" | "active";
    /** @description Only the link with this id of yours. */
    external_id?: string;
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Only links that this import or bulk call created. */
    batch_id?: string;
    /** @description Created at this time or later. */
    created_after?: Time;
    /** @description Created before this time. */
    created_before?: Time;
    /**
     * @description What the links are sorted by; created_at when nothing is said.
     * @enum {string}
     */
    sort?: "created_at" | "clicks" | "last_clicked_at";
    /**
     * @description The direction; desc when nothing is said.
     * @enum {string}
     */
    order?: "asc" | "desc";
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface CountLinksQuery {
    /** @description Part of slug, destination or title. */
    search?: string;
    /** @description Name of a tag. */
    tag?: string;
    /**
     * Format: host
     * @description Only links on this host.
     */
    domain?: string;
    /**
     * @description Only links with this status.
     * @enum {string}
     */
    status?: "flagged" | "archived" | "scheduled" | "expired" | "active";
    /** @description Only the link with this id of yours. */
    external_id?: string;
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Only links that this import or bulk call created. */
    batch_id?: string;
    /** @description Created at this time or later. */
    created_after?: Time;
    /** @description Created before this time. */
    created_before?: Time;
    /**
     * @description What the links are grouped by; a link counts for each of its tags.
     * @enum {string}
     */
    group_by?: "status" | "tag" | "domain";
}

export interface LookupLinkQuery {
    /**
     * Format: host
     * @description Together with slug.
     */
    domain?: string;
    /** @description Together with domain. */
    slug?: string;
    /** @description Your own id of the link. */
    external_id?: string;
    /**
     * Format: uri
     * @description The short URL as it is shared.
     */
    short_url?: string;
}

export interface GetLinkQrQuery {
    /**
     * @description The format of the image.
     * @default svg
     * @enum {string}
     */
    format?: "svg" | "png";
    /**
     * @description Pixels of each side. The modules of a PNG are whole pixels; left-over pixels widen the margin.
     * @default 512
     */
    size?: number;
    /**
     * @description Width of the quiet zone on each side, in modules; the standard requires 4.
     * @default 4
     */
    margin?: number;
    /**
     * @description Error correction: about 7 % (L), 15 % (M), 25 % (Q) or 30 % (H) may be covered.
     * @default M
     * @enum {string}
     */
    level?: "L" | "M" | "Q" | "H";
    /**
     * @description 3, 6 or 8 hex digits, with or without `#`. Must be clearly darker than the background.
     * @default #000000
     */
    foreground?: string;
    /**
     * @description As `foreground`; `ffffff00` is transparent and taken as printed on white.
     * @default #ffffff
     */
    background?: string;
}

export interface TraceLinkQuery {
    /**
     * @description Unset: other.
     * @enum {string}
     */
    platform?: "ios" | "android" | "windows" | "macos" | "linux" | "other";
    /**
     * @description Unset: mobile for ios and android, else desktop.
     * @enum {string}
     */
    device?: "mobile" | "tablet" | "desktop";
    /**
     * Format: country
     * @description Unset: unknown.
     */
    country?: string;
    /**
     * Format: language
     * @description The first language that the visitor accepts; unset: unknown.
     */
    language?: string;
    /** @description The time of the visit; unset: now. */
    at?: Time;
    /** @description The query of the short URL without its `?`, such as `v=2&utm_source=x`, URL-encoded. */
    query?: string;
    /**
     * Format: referrer_host
     * @description Unset: unknown.
     */
    referrer_host?: string;
}

export interface ListWebhooksQuery {
    /** @description Only the webhook with this id of yours. */
    external_id?: string;
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListDeliveriesQuery {
    /**
     * @description Only deliveries with this status.
     * @enum {string}
     */
    status?: "pending" | "succeeded" | "failed" | "cancelled";
    /** @description Only deliveries of events of this type; batch: only batches. */
    event_type?: DeliveredType;
    /** @description Created at this time or later. */
    created_after?: Time;
    /** @description Created before this time. */
    created_before?: Time;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface GetAnalyticsQuery {
    /**
     * @description What is counted; click when nothing is said.
     * @enum {string}
     */
    event?: "click" | "install" | "open" | "app_event" | "orphan";
    /**
     * @description What the rows are grouped by; none, only a total, when nothing is said.
     * @enum {string}
     */
    group_by?: "none" | "time" | "country" | "region" | "city" | "platform" | "device" | "browser" | "language" | "referrer_host" | "link" | "tag" | "domain" | "slug" | "destination" | "rule" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "traffic_class" | "event_name" | "app_version" | "match_method";
    /**
     * @description Back from now; 24h when nothing is said.
     * @enum {string}
     */
    interval?: "1h" | "24h" | "7d" | "30d" | "90d" | "1y" | "all";
    /** @description Inclusive; in the place of interval. */
    start?: Time;
    /** @description Exclusive. */
    end?: Time;
    /**
     * @description The length of a row when grouped by time; it follows from the range when nothing is said.
     * @enum {string}
     */
    granularity?: "minute" | "hour" | "day" | "week" | "month";
    /**
     * Format: timezone
     * @description IANA name; UTC when it is not given.
     */
    timezone?: string;
    /**
     * @description Whose clicks are counted; human when nothing is said, or all where classes are grouped or filtered.
     * @enum {string}
     */
    traffic?: "human" | "all" | "bot" | "scanner" | "prefetch";
    /** @description The most rows, 100 when nothing is said; others has the sum of the rest. */
    limit?: number;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    country?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    region?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    city?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    platform?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    device?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    browser?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    language?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    referrer_host?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    link?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    tag?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    domain?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    slug?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    destination?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    rule?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    utm_source?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    utm_medium?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    utm_campaign?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    utm_term?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    utm_content?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    traffic_class?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    event_name?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    app_version?: string;
    /** @description Comma-separated; a leading - excludes, a backslash escapes. */
    match_method?: string;
}

export interface ListTagsQuery {
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListDomainsQuery {
    /**
     * @description Only domains of this kind.
     * @enum {string}
     */
    kind?: "link" | "web";
    /**
     * @description Only domains with this status.
     * @enum {string}
     */
    status?: "pending" | "verified" | "failing";
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListEventsQuery {
    /** @description Only events of this type. */
    type?: EventType;
    /** @description Events of this link, even after it was deleted; or ext_<external id> of an existing link. */
    link_id?: string;
    /** @description Created at this time or later. */
    created_after?: Time;
    /** @description Created before this time. */
    created_before?: Time;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface StreamEventsQuery {
    /** @description Only events of these types: a list with commas, such as link.created,link.clicked. All if left out, or by *. */
    types?: string;
    /** @description Only events of this link; also ext_<external id>. */
    link_id?: string;
    /** @description The last event that you have: begins with what came after it. Without it, nothing from before comes. */
    after?: string;
}

export interface ListKeysQuery {
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListAlertsQuery {
    /**
     * @description Only alerts of this kind.
     * @enum {string}
     */
    kind?: "health" | "traffic_anomaly" | "link_flagged" | "webhook_disabled" | "billing" | "domain" | "security" | "lost_journal";
    /**
     * @description open: neither acknowledged nor resolved; acknowledged: not resolved yet.
     * @enum {string}
     */
    status?: "open" | "acknowledged" | "resolved";
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface ListImportsQuery {
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}

export interface StartImportQuery {
    /**
     * @description Where the file comes from; svc is our own export.
     * @default svc
     * @enum {string}
     */
    format?: "svc" | "bitly" | "dub" | "short_io" | "rebrandly" | "firebase" | "branch";
    /**
     * @description Reports what would happen to each row, and writes no link.
     * @default false
     */
    dry_run?: boolean;
    /**
     * @description What happens to links that exist already.
     * @default skip
     * @enum {string}
     */
    on_conflict?: "skip" | "update" | "fail";
}

export interface ExportLinksQuery {
    /** @description Part of slug, destination or title. */
    search?: string;
    /** @description Name of a tag. */
    tag?: string;
    /**
     * Format: host
     * @description Only links on this host.
     */
    domain?: string;
    /**
     * @description Only links with this status.
     * @enum {string}
     */
    status?: "flagged" | "archived" | "scheduled" | "expired" | "active";
    /** @description Only the link with this id of yours. */
    external_id?: string;
    /** @description Only what this manages, such as `code:marketing`. */
    managed_by?: string;
    /** @description Only links that this import or bulk call created. */
    batch_id?: string;
    /** @description Created at this time or later. */
    created_after?: Time;
    /** @description Created before this time. */
    created_before?: Time;
    /** @description Cells that a spreadsheet program would run as formulas get a single quote in front. */
    spreadsheet?: boolean;
    /**
     * @description csv, which can be imported again, or ndjson: a link as REST shows it on each line.
     * @default csv
     * @enum {string}
     */
    format?: "csv" | "ndjson";
}

export interface ListInstallsQuery {
    /** @description Installs that this link led to, also when it was deleted; or ext_<external id> of one that there is. */
    link_id?: string;
    /** @description Created at this moment or later. */
    created_after?: Time;
    /** @description Created before this moment. */
    created_before?: Time;
    /** @description Rows of a page; 50 when it is not given. */
    limit?: number;
    /** @description What the previous page gave for the next one; it only works with the same filters and sort. */
    cursor?: string;
}