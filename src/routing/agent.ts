import { UAParser } from 'my-ua-parser';
import { remembering } from '../kernel/remembering.ts';
import { type AgentDevice, agentDevice } from './agentDevice.ts';
import { agentReason } from './agentReason.ts';
import { boundedText } from './boundedText.ts';
import { inAppBrowser } from './inAppBrowser.ts';
import { fnv1a } from './stickyHash.ts';
import { TAME_RULES, tameAgent } from './tameAgent.ts';
import type { TrafficReason } from './trafficReason.ts';

export type Platform = 'ios' | 'android' | 'windows' | 'macos' | 'linux' | 'other';
export type Device = 'mobile' | 'tablet' | 'desktop';

/** What a User-Agent text says. */
export interface Agent extends AgentDevice {
  platform: Platform;
  device: Device;
  /** The parser's name of the browser, as `Mobile Safari`. */
  browser: string | null;
  /** Why the agent is no person's browser. */
  reason: TrafficReason | null;
  /** The app whose built-in browser it is. */
  inApp: string | null;
  /** 32 bits that stand for the text. */
  hash: number;
}

const MAX_LENGTH = 512;
/** Parsing costs some 20 µs, a look-up well under one; a busy day brings a few thousand different agents. */
const rememberedAgent = remembering(readAgent, 10_000);

/** Operating systems in the parser's words, lower-cased; what is not here is `other`. */
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

/** Reads a User-Agent header, its first 512 characters at most. An iPad that asks for desktop sites looks like a Mac. */
export function parseAgent(header: string | undefined): Agent {
  if (!header) return NO_AGENT;
  return rememberedAgent(boundedText(header, MAX_LENGTH));
}

function readAgent(text: string): Agent {
  const parser = new UAParser(tameAgent(text), TAME_RULES);
  const { name, version: osVersion } = parser.getOS();
  const { type, model: deviceModel } = parser.getDevice();
  const platform = PLATFORMS.get(name?.toLowerCase()) ?? 'other';
  return {
    platform,
    device: DEVICES.get(type) ?? 'desktop',
    browser: parser.getBrowser().name ?? null,
    reason: agentReason(text),
    inApp: inAppBrowser(text),
    hash: fnv1a(text),
    ...agentDevice(text, { platform, osVersion, deviceModel }),
  };
}

function named(platform: Platform, ...names: string[]): [string, Platform][] {
  return names.map((name) => [name, platform]);
}
