// What apps send and are answered, of the OpenAPI document. Printed by `npm run generate`; do not edit.

export interface RecordOpen {
    /** @description The version of the app. */
    app_version?: string | null;
    /** @description What was in the clipboard, as it is. */
    clipboard?: string | null;
    /** @description false: no probabilistic matching. */
    consent?: boolean | null;
    /** @description The model as the system names it, such as `iPhone15,2`. */
    device_model?: string | null;
    /** @description The app was never opened before, as far as it knows. */
    first_open: boolean;
    /** @description installBeginTimestampServerSeconds of Google Play. */
    install_begin_at?: Time | null;
    /**
     * Format: uuid
     * @description The UUID that the SDK made and keeps.
     */
    install_id: string;
    /** @description The install referrer from Google Play, unchanged. */
    install_referrer?: string | null;
    /** @description As `de-DE`. */
    language?: string | null;
    /** @description The version of the operating system. */
    os_version?: string | null;
    /**
     * @description The operating system, or web.
     * @enum {string}
     */
    platform: "ios" | "android" | "web";
    /** @description referrerClickTimestampServerSeconds of Google Play. */
    referrer_click_at?: Time | null;
    /** @description The screen of the device. */
    screen?: Screen | null;
    /** @description As `Europe/Berlin`. */
    timezone?: string | null;
    /** @description The URL that opened the app. */
    url?: string | null;
}

export type Time = string;

export interface Screen {
    /** @description The other side, in points. */
    height?: number | null;
    /** @description Pixels in a point. */
    scale?: number | null;
    /** @description The shorter or longer side, in points. */
    width?: number | null;
}

export interface AppOpen {
    /** @description The id of this opening. */
    open_id: string;
    /** @description Whether and how it was traced back to a click. */
    match: Match;
    /** @description Where to go; null behind a password not entered. */
    link: AppLink | null;
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

export interface AppLink {
    /** @description The id, whose prefix names the kind of thing. */
    id: string;
    /** @description The path of the short URL, without the slash in front. */
    slug: string;
    /** @description Host of the short URL. */
    domain: string;
    /** @description The URL that was shared. */
    short_url: string;
    /** @description Where the link leads in a browser. */
    destination: string;
    /** @description Free-form payload that the link was given for the app. */
    data: {
        [key: string]: unknown;
    };
}

export interface ResolveUrl {
    /** @description The URL as it is. */
    url: string;
}

export interface ResolvedUrl {
    /** @description The link; null if the URL is none. */
    link: AppLink | null;
}

export interface RecordEvents {
    /** @description Three letters such as EUR; unset: the value has no currency. */
    currency?: string | null;
    /** @description Many events; then the fields of a single one stay unset. */
    events?: AppEvent[] | null;
    /** @description Your own name for the event: a repeat with it counts nothing twice. */
    id?: string | null;
    /**
     * Format: uuid
     * @description The UUID that the SDK made and keeps.
     */
    install_id: string;
    /** @description Needed without `events`. */
    name?: string | null;
    /** @description By the clock of the device, which may be wrong: not later than now, and at most 30 days ago. */
    occurred_at?: Time | null;
    /** @description Free-form details, at most 2 KiB as JSON. */
    properties?: {
        [key: string]: unknown;
    } | null;
    /** @description What it was worth; sums are kept for each currency. */
    value?: number | null;
}

export interface AppEvent {
    /** @description Three letters such as EUR; unset: the value has no currency. */
    currency?: string | null;
    /** @description Your own name for the event: a repeat with it counts nothing twice. */
    id?: string | null;
    /** @description What happened, in a word of yours such as purchase. */
    name: string;
    /** @description By the clock of the device, which may be wrong: not later than now, and at most 30 days ago. */
    occurred_at?: Time | null;
    /** @description Free-form details, at most 2 KiB as JSON. */
    properties?: {
        [key: string]: unknown;
    } | null;
    /** @description What it was worth; sums are kept for each currency. */
    value?: number | null;
}

export interface RecordedEvents {
    /** @description Events that were not known yet. */
    accepted: number;
    /** @description Events that were known by their id, and changed nothing. */
    duplicates: number;
}