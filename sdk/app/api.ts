// What apps send and are answered, of the OpenAPI document. Printed by `npm run generate`; do not edit.

export interface RecordOpen {
  app_version?: string | null;
  /** @description What was in the clipboard, as it is. */
  clipboard?: string | null;
  /** @description false: no probabilistic matching. */
  consent?: boolean | null;
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
  /** @description What Google Play told, as it is. */
  install_referrer?: string | null;
  /** @description As `de-DE`. */
  language?: string | null;
  os_version?: string | null;
  /** @enum {string} */
  platform: 'ios' | 'android' | 'web';
  /** @description referrerClickTimestampServerSeconds of Google Play. */
  referrer_click_at?: Time | null;
  screen?: Screen | null;
  /** @description As `Europe/Berlin`. */
  timezone?: string | null;
  /** @description The URL that opened the app. */
  url?: string | null;
}

export type Time = string;

export interface Screen {
  height?: number | null;
  scale?: number | null;
  width?: number | null;
}

export interface AppOpen {
  open_id: string;
  match: Match;
  /** @description Where to go in the app. */
  link: AppLink | null;
}

export interface Match {
  matched: boolean;
  /**
   * @description link, referrer, clipboard, probabilistic or none.
   * @enum {string}
   */
  method: 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';
  /** @description 100, or of a guess: of those that say n, n in a hundred are right; at most 99. */
  confidence: number;
  /** @description Of a guess the sum of its factors; else null. */
  score: number | null;
  /** @description Not guessed: whoever opened the app brought the URL of the link or the token of a click. Nothing proves that it was a real device. */
  guaranteed: boolean;
  /** @description What spoke for it, or why nothing was found. */
  factors: MatchFactor[];
  clicked_at: Time | null;
}

export interface MatchFactor {
  name: string;
  points: number;
}

export interface AppLink {
  id: string;
  slug: string;
  domain: string;
  short_url: string;
  destination: string;
  data: {
    [key: string]: unknown;
  };
}

export interface ResolveUrl {
  url: string;
}

export interface ResolvedUrl {
  link: AppLink | null;
}

export interface RecordEvents {
  currency?: string | null;
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
  properties?: {
    [key: string]: unknown;
  } | null;
  value?: number | null;
}

export interface AppEvent {
  currency?: string | null;
  /** @description Your own name for the event: a repeat with it counts nothing twice. */
  id?: string | null;
  name: string;
  /** @description By the clock of the device, which may be wrong: not later than now, and at most 30 days ago. */
  occurred_at?: Time | null;
  properties?: {
    [key: string]: unknown;
  } | null;
  value?: number | null;
}

export interface RecordedEvents {
  /** @description Events that were not known yet. */
  accepted: number;
  /** @description Events that were known by their id, and changed nothing. */
  duplicates: number;
}
