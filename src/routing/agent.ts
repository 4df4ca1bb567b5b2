import { UAParser } from 'my-ua-parser';
import { memoize } from '../kernel/cache.ts';
import { fnv1a } from './stickyHash.ts';
import { agentTrafficReason, type TrafficReason } from './trafficReason.ts';

export type Platform = 'ios' | 'android' | 'windows' | 'macos' | 'linux' | 'other';
export type Device = 'mobile' | 'tablet' | 'desktop';

/** What a User-Agent header reveals. */
interface Agent extends AgentDevice {
  platform: Platform;
  device: Device;
  /** The parser's name for the browser, such as `Mobile Safari`. */
  browser: string | null;
  /** Why the agent is not a person's browser; null if it may be one. */
  reason: TrafficReason | null;
  /** The app whose built-in browser this is; null for a browser of its own. */
  inApp: string | null;
  /** 32-bit hash of the header. */
  hash: number;
}

const MAX_LENGTH = 512;
/** Parsing takes about 20 µs, a cache hit well under one; a busy day brings a few thousand different agents. */
const cachedAgent = memoize(readAgent, 10_000);

/** The parser's names of operating systems, lower-cased; others are `other`. */
const PLATFORMS = new Map<string | undefined, Platform>([
  ['ios', 'ios'],
  ...named('android', 'android', 'android-x86', 'harmonyos'),
  ['windows', 'windows'],
  ['mac os', 'macos'],
  ...named('linux', 'linux', 'gnu', 'ubuntu', 'kubuntu', 'xubuntu', 'lubuntu', 'debian', 'fedora', 'suse', 'opensuse'),
  ...named('linux', 'mint', 'arch', 'gentoo', 'centos', 'red hat', 'redhat', 'manjaro', 'raspbian', 'slackware'),
]);

const DEVICES = new Map<string | undefined, Device>([
  ['mobile', 'mobile'],
  ['wearable', 'mobile'],
  ['tablet', 'tablet'],
]);

const NO_AGENT: Agent = {
  platform: 'other',
  device: 'desktop',
  browser: null,
  reason: 'no agent',
  inApp: null,
  hash: 0,
  osVersion: null,
  deviceModel: null,
};

/** Parses the first 512 characters of a User-Agent header. An iPad that requests desktop sites looks like a Mac. */
export function parseAgent(header: string | undefined): Agent {
  if (!header) return NO_AGENT;
  return cachedAgent(boundedText(header, MAX_LENGTH));
}

function readAgent(text: string): Agent {
  const parser = new UAParser(limitParserCost(text), EXTRA_PARSER_RULES);
  const { name, version: osVersion } = parser.getOS();
  const { type, model: deviceModel } = parser.getDevice();
  const platform = PLATFORMS.get(name?.toLowerCase()) ?? 'other';
  return {
    platform,
    device: DEVICES.get(type) ?? 'desktop',
    browser: parser.getBrowser().name ?? null,
    reason: agentTrafficReason(text),
    inApp: inAppBrowser(text),
    hash: fnv1a(text),
    ...agentDevice(text, { platform, osVersion, deviceModel }),
  };
}

function named(platform: Platform, ...names: string[]): [string, Platform][] {
  return names.map((name) => [name, platform]);
}

/** What a User-Agent header reveals of a device besides its platform. Null: unknown, or known to be fake. */
interface AgentDevice {
  /** Such as `18.6` or `15`. */
  osVersion: string | null;
  /** Such as `iPhone`, `iPad` or `Pixel 9`; browsers inside apps may say `iPhone17,3`. */
  deviceModel: string | null;
}

interface Parsed {
  platform: string;
  osVersion: string | undefined;
  deviceModel: string | undefined;
}

const NOTHING: AgentDevice = { osVersion: null, deviceModel: null };

/** Since iOS 26, Safari always reports 18.6 or 18.7 as the system version; Safari's own version is more accurate. */
const FROZEN_IOS = /^18\.[67]\b/;

/** The device details of phones and tablets; none for other platforms. */
function agentDevice(text: string, { platform, osVersion, deviceModel }: Parsed): AgentDevice {
  if (platform === 'ios') return { osVersion: iosVersion(text, osVersion), deviceModel: appleModel(text, deviceModel) };
  if (platform !== 'android') return NOTHING;
  // Chrome's reduced User-Agent says "Android 10; K" on every phone, followed by "wv" in apps.
  if (/Android 10; K[;)]/.test(text)) return NOTHING;
  return { osVersion: bounded(osVersion), deviceModel: bounded(deviceModel) };
}

/** Facebook's apps and Instagram add the true version to the frozen one; Chrome replaces the frozen one. */
function iosVersion(text: string, stated: string | undefined): string | null {
  const [, facebook, instagram] = /FBSV\/([\d.]{1,12})|; iOS ([\d_]{1,12});/.exec(text) ?? [];
  const addedVersion = facebook ?? instagram?.replaceAll('_', '.');
  if (addedVersion) return addedVersion;
  if (text.includes(' CriOS/')) return bounded(stated);
  const [, safari] = /Version\/(\d{1,3}(?:\.\d{1,3}){0,2})/.exec(text) ?? [];
  if (safari !== undefined && Number.parseInt(safari, 10) > Number.parseInt(stated ?? '0', 10)) return safari;
  // Other browsers, and those inside other apps, state no Safari version.
  if (safari === undefined && stated !== undefined && FROZEN_IOS.test(stated)) return null;
  return bounded(stated);
}

function appleModel(text: string, family: string | undefined): string | null {
  const [, facebook, instagram] = /FBDV\/(i\w{1,8},\d{1,3})|\((iP\w{1,8},\d{1,3});/.exec(text) ?? [];
  return facebook ?? instagram ?? bounded(family);
}

function bounded(value: string | undefined): string | null {
  return value?.slice(0, 64) || null;
}

/** What apps add to the User-Agent of their built-in browser. */
const MARKS: [app: string, mark: RegExp][] = [
  ['instagram', /\bInstagram[ /]\d/],
  ['facebook', /\bFB(?:AN|AV|_IAB)\//],
  ['tiktok', /\b(?:musical_ly|trill)_\d|\bBytedanceWebview\b/],
  ['line', /\bLine\/\d/],
  ['wechat', /\bMicroMessenger\//],
  ['snapchat', /\bSnapchat\/\d/],
  ['pinterest', /\[Pinterest\/(?:iOS|Android)\]/],
  ['linkedin', /\[LinkedInApp\]/],
  ['x', /\bTwitter for i(?:Phone|Pad)\b|\bTwitterAndroid\b/],
];

/** The app whose built-in browser sends this User-Agent; null: a browser of its own. */
function inAppBrowser(text: string): string | null {
  return MARKS.find(([, mark]) => mark.test(text))?.[0] ?? null;
}

/** Words that start the parser's costliest rules: `oid` of `Android`, and marks of WeChat and television browsers. */
const COSTLY = /oid|qbcore|hbbtv/gi;
/** No real browser has more of them. */
const MAX_COSTLY = 3;
/** Words of real browsers and apps are shorter, build numbers included. */
const MAX_WORD_LENGTH = 100;

const LONG_WORD = new RegExp(`[\\w.]{${MAX_WORD_LENGTH}}`);

/** Preempts the parser's own rule for Naver, which takes cubic time: 33 ms for 512 characters. */
const EXTRA_PARSER_RULES = { browser: [[/(naver)\(/i], ['name']] };

/**
 * Cuts off a User-Agent where no real browser would continue, to bound the time of parsing. Dozens of the parser's rules
 * scan everything after each `droid` or within a word, so a header of repeated words costs 100 times as much as a real one.
 */
export function limitParserCost(text: string): string {
  const long = LONG_WORD.exec(text);
  const bounded = long === null ? text : text.slice(0, long.index + MAX_WORD_LENGTH);
  return bounded.slice(0, [...bounded.matchAll(COSTLY)][MAX_COSTLY]?.index);
}

/** The first `max` characters. Copies them, because a slice in a cache would keep the whole header alive. */
export function boundedText(text: string, max: number): string {
  return text.length <= max ? text : Buffer.from(text.slice(0, max)).toString();
}
