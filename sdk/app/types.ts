import type { AppOpen, RecordOpen } from './api.ts';
import type { CamelCased } from './camelCased.ts';
import type { SvcError } from './SvcError.ts';

/** Where an install id, what is not sent yet, and whether the app was opened before are kept. Sync or async. */
export interface SvcStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

/** The part of fetch that is used. */
export type FetchLike = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body: string;
    // biome-ignore lint/suspicious/noExplicitAny: an AbortSignal, which not all hosts have a type for
    signal?: any;
    keepalive?: boolean;
    credentials?: 'omit';
  },
) => Promise<{ status: number; headers: { get(name: string): string | null }; text(): Promise<string> }>;

export interface SvcOptions {
  /** Where the SDK endpoints are: SDK_URL or BASE_URL of the installation, such as `https://svc.example.com`. */
  url: string;
  /** A publishable key, `pk_live_…`. */
  key: string;
  /** Default: localStorage where there is one, else memory. */
  storage?: SvcStorage;
  /** Needed in React Native; default: what Capacitor says, else `web`. */
  platform?: RecordOpen['platform'];
  appVersion?: string | null;
  osVersion?: string | null;
  deviceModel?: string | null;
  /** As `de-DE`. Default: the browser's, else that of Intl. */
  language?: string | null;
  /** As `Europe/Berlin`. Default: that of Intl. */
  timezone?: string | null;
  /** In points: pt on iOS, dp on Android, CSS pixels on the web, where it is found out. */
  screen?: { width: number; height: number; scale?: number } | null;
  /** false: no probabilistic matching. */
  consent?: boolean;
  /** Default: the host's. */
  fetch?: FetchLike;
  /** How long events are collected before they are sent. Default: 5. */
  flushSeconds?: number;
  /** Events that are kept while they cannot be sent; the oldest go first. Default: 1,000. */
  maxQueue?: number;
  /** Hears of what nobody else is told: lost events, a refused key, a storage that fails. */
  onError?: (error: SvcError) => void;
  /** Keeps several clients on one storage apart. Default: `svc`. */
  name?: string;
}

/** What the device tells of the install, verbatim. */
export interface OpenDetails {
  /** What the Play Install Referrer library gives. */
  installReferrer?: string | null;
  /** `referrerClickTimestampServerSeconds` of that library. */
  referrerClickAt?: Date | string | null;
  /** `installBeginTimestampServerSeconds` of that library. */
  installBeginAt?: Date | string | null;
  /** What is in the clipboard. It leaves the device only if it holds a token of ours. */
  clipboard?: string | null;
}

/** A link as apps are told of it; `data` is as its maker wrote it. */
export type SvcLink = CamelCased<NonNullable<AppOpen['link']>>;
export type SvcMatch = CamelCased<AppOpen['match']>;

export interface OpenResult {
  /** null: the server was not reached; the one factor of `match` says why. */
  openId: string | null;
  match: SvcMatch;
  /** Where to go in the app. */
  link: SvcLink | null;
}

export interface TrackOptions {
  value?: number | null;
  /** Three letters, such as EUR. */
  currency?: string | null;
  properties?: Record<string, unknown> | null;
  /** A name of your own: a repeat with it counts nothing twice. Default: a UUID. */
  id?: string | null;
  /** Default: now. */
  occurredAt?: Date | string | null;
}

export type LinkListener = (link: SvcLink, open: OpenResult) => void;

export interface SvcClient {
  /**
   * Tells that the app was opened, by `url` if by one. Never throws. Concurrent calls are answered one after another.
   * `details` count at the first opening; a function that gives them is called then alone.
   */
  handleOpen(
    url?: string | null,
    details?: OpenDetails | (() => OpenDetails | Promise<OpenDetails>),
  ): Promise<OpenResult>;
  /** Hears of every link that an opening led to, also of one that the server told of later. Gives how to stop it. */
  onLink(listener: LinkListener): () => void;
  /** The link of a URL; counts nothing. Throws a `SvcError`. */
  resolve(url: string): Promise<SvcLink | null>;
  /** Puts an event into the queue; the promise says that it is written down. Never throws. */
  track(name: string, options?: TrackOptions): Promise<void>;
  /** Sends what is in the queue now, unless the server asked to wait. Never throws. */
  flush(): Promise<void>;
  setConsent(consent: boolean): void;
  /** A UUID that stands for this install. */
  installId(): Promise<string>;
  /** Forgets the install id and everything not sent: the next opening is that of a new install. */
  reset(): Promise<void>;
  /** Stops sending and listening. The queue stays in the storage for the next client. */
  close(): void;
}
