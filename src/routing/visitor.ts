import { memoize } from '../kernel/cache.ts';
import { boundedText, type Device, type Platform, parseAgent } from './agent.ts';
import {
  type PurposeHeaders,
  type TrafficClass,
  type TrafficReason,
  trafficClass,
  trafficReason,
} from './trafficReason.ts';

/** What the headers of a request reveal of the visitor. */
export interface Visitor {
  platform: Platform;
  device: Device;
  /** Such as `18.6` and `iPhone`; null unless a phone or tablet says so. */
  osVersion: string | null;
  deviceModel: string | null;
  browser: string | null;
  /** The first accepted language, lower-cased, such as `de-at`. */
  language: string | null;
  /** Lower-cased, without a port. */
  referrerHost: string | null;
  trafficClass: TrafficClass;
  trafficReason: TrafficReason | null;
  /** Fetches the page behind a link to show a preview of it. */
  isPreviewFetcher: boolean;
  /** The app whose built-in browser this is, which may not open other apps, such as `instagram`; null: a real browser. */
  inApp: string | null;
  /** 32-bit hash of the User-Agent: with the address, it keeps a visitor on one side of a split. */
  agentHash: number;
}

/** Raw header values; undefined if missing. */
export interface VisitorHeaders extends PurposeHeaders {
  userAgent?: string | undefined;
  acceptLanguage?: string | undefined;
  referer?: string | undefined;
}

/** Parses the headers of a request from a network that may be a scanner's. Unknown is null, `other` or `desktop`. */
export function parseVisitor(headers: VisitorHeaders, method: string, isScannerNetwork = false): Visitor {
  const agent = parseAgent(headers.userAgent);
  const reason = trafficReason(method, headers, agent.reason) ?? (isScannerNetwork ? 'scanner network' : null);
  return {
    platform: agent.platform,
    device: agent.device,
    osVersion: agent.osVersion,
    deviceModel: agent.deviceModel,
    browser: agent.browser,
    language: firstLanguage(headers.acceptLanguage),
    referrerHost: referrerHost(headers.referer),
    trafficClass: trafficClass(reason),
    trafficReason: reason,
    isPreviewFetcher: agent.reason === 'preview agent',
    inApp: agent.inApp,
    agentHash: agent.hash,
  };
}

const MAX_LANGUAGE_LENGTH = 256;
const cachedLanguage = memoize((text: string) => ({ tag: readFirst(text) }), 5_000);

/** The first language of an Accept-Language header with a `q` other than 0, lower-cased, such as `de-at`. */
function firstLanguage(header: string | undefined): string | null {
  return header ? cachedLanguage(boundedText(header, MAX_LANGUAGE_LENGTH)).tag : null;
}

function readFirst(text: string): string | null {
  for (const entry of text.split(',')) {
    const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const refused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/i.test(parameter));
    if (!refused && /^[a-z]{1,8}(?:-[a-z0-9]{1,8}){0,7}$/i.test(tag)) return tag.toLowerCase();
  }
  return null;
}

const MAX_REFERRER_LENGTH = 512;
const cachedHost = memoize((text: string) => ({ host: readHost(text) }), 10_000);

/** The host of a Referer header without its port, lower-cased; the package for `android-app://com.example`. */
function referrerHost(header: string | undefined): string | null {
  return header ? cachedHost(boundedText(header, MAX_REFERRER_LENGTH)).host : null;
}

const SHAPE = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#\\@]*@)?(\[[0-9a-f:.]+\]|[a-z0-9._-]{1,253}?)\.?(?::\d*)?(?:[/?#\\]|$)/i;

function readHost(text: string): string | null {
  return SHAPE.exec(text)?.[1]?.toLowerCase() ?? null;
}
