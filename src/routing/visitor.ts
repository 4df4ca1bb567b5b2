import { type Device, type Platform, parseAgent } from './agent.ts';
import { firstLanguage } from './firstLanguage.ts';
import { referrerHost } from './referrerHost.ts';
import {
  type PurposeHeaders,
  type TrafficClass,
  type TrafficReason,
  trafficClass,
  trafficReason,
} from './trafficReason.ts';

/** Who follows a link, as far as the request's headers tell. */
export interface Visitor {
  platform: Platform;
  device: Device;
  /** Of phones and tablets that say so: `18.6`, `iPhone`. */
  osVersion: string | null;
  deviceModel: string | null;
  browser: string | null;
  /** The first accepted language, lower-cased: `de-at`. */
  language: string | null;
  /** Lower-cased, without a port. */
  referrerHost: string | null;
  trafficClass: TrafficClass;
  trafficReason: TrafficReason | null;
  /** Fetches the page behind a link to show a preview of it. */
  isPreviewFetcher: boolean;
  /** The app whose built-in browser asks, which may not open other apps: `instagram`; null: a browser of its own. */
  inApp: string | null;
  /** 32 bits that stand for the User-Agent text: with the address they keep a visitor on one side of a split. */
  agentHash: number;
}

/** Header values as they came; what is missing is undefined. */
export interface VisitorHeaders extends PurposeHeaders {
  userAgent?: string | undefined;
  acceptLanguage?: string | undefined;
  referer?: string | undefined;
}

/** Reads the headers of a request; `isScannerNetwork`: where it came from. What they do not tell is null, `other` or `desktop`. */
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
