import { VERSION } from './operationTable.ts';
import { SvcError } from './SvcError.ts';

/** What a client needs of `fetch`: any function that answers such requests will do. */
export type FetchLike = (url: string, init: RequestInit) => Promise<Response>;

export interface SvcOptions {
  /** A secret key (`sk_live_…`). */
  key: string;
  /** Where the installation is, such as `https://links.example.com`. */
  url: string;
  /** In the place of the host's own `fetch`. */
  fetch?: FetchLike | undefined;
  /** How often a request is tried again at most; 3 by default. */
  retries?: number | undefined;
  /** How long one attempt may take; 30 by default. Of a stream it is how long nothing may come. */
  timeoutSeconds?: number | undefined;
  /** In front of the host's name and version in `User-Agent`; `svc-client/<version>` by default. */
  userAgent?: string | undefined;
  /** A secret key in a web page is everybody's who opens it. True for pages that only their owner opens. */
  allowBrowser?: boolean | undefined;
  /** Told about every attempt when it ends, for logs. The key is no part of it. */
  onAttempt?: ((attempt: Attempt) => void) | undefined;
}

/** One request as it went. */
export interface Attempt {
  method: string;
  /** With the query, without the origin. */
  path: string;
  /** 0 where nothing was answered. */
  status: number;
  milliseconds: number;
  requestId: string | null;
  /** 1 for the first. */
  number: number;
  /** The code of the error that it ended with. */
  errorCode: string | null;
}

/** The options with their defaults. */
export interface Settings {
  origin: string;
  fetch: FetchLike;
  retries: number;
  timeoutSeconds: number;
  headers: Record<string, string>;
  onAttempt: (attempt: Attempt) => void;
}

/** Throws `invalid_options` for what only the programmer can put right. */
export function settingsOf(options: SvcOptions): Settings {
  const { key, url, retries = 3, timeoutSeconds = 30, userAgent = `svc-client/${VERSION}`, allowBrowser } = options;
  if (typeof url !== 'string' || !/^https?:\/\/[^/]/.test(url)) {
    refuse('url must be where the installation is, such as https://links.example.com.');
  }
  if (typeof key !== 'string' || !/^\S+$/.test(key)) {
    refuse('key must be a secret key (sk_live_…), without spaces or line breaks around it.');
  }
  if (isBrowserPage() && key.startsWith('sk_') && !allowBrowser) {
    refuse('A secret key must not be in a web page, where everybody can read it. Call your own server from there.');
  }
  if (!(Number.isInteger(retries) && retries >= 0)) refuse('retries must be a whole number from 0.');
  if (!(timeoutSeconds > 0)) refuse('timeoutSeconds must be more than 0.');
  return {
    origin: url.replace(/\/+$/, ''),
    fetch: options.fetch ?? ((to, init) => globalThis.fetch(to, init)),
    retries,
    timeoutSeconds,
    headers: {
      Authorization: `Bearer ${key}`,
      // Pages cannot set it, and another origin would be asked for leave.
      ...(isBrowserPage() ? {} : { 'User-Agent': `${userAgent} ${hostName()}`.trim() }),
    },
    onAttempt: options.onAttempt ?? (() => {}),
  };
}

function refuse(message: string): never {
  throw new SvcError('invalid_options', message);
}

// biome-ignore lint/suspicious/noExplicitAny: hosts differ in what they have
const host: any = globalThis;

function isBrowserPage(): boolean {
  return host.window !== undefined && host.document !== undefined;
}

/** `node/24.1.0`, or whichever host it is. */
function hostName(): string {
  const versions = host.process?.versions ?? {};
  const name = ['bun', 'deno', 'node'].find((known) => versions[known]);
  return name ? `${name}/${versions[name]}` : (host.navigator?.userAgent ?? '');
}
