import type { KeyPrincipal } from '../../access/principal.ts';
import type { BroughtToken, Opening } from '../../apps/Opening.ts';
import { clock } from '../../kernel/clock.ts';
import type { DeviceFacts, Screen } from '../../matching/deviceFacts.ts';
import { readClickToken } from '../../matching/installationTokens.ts';
import { judgeToken, type TokenSource, tokenIn } from '../../matching/tokenGuards.ts';
import { linkOfUrl } from './linkOfUrl.ts';
import { surroundings } from './surroundings.ts';

/** As the API's rules let it through. */
export interface OpenInput {
  installId: string;
  firstOpen: boolean;
  platform: 'ios' | 'android' | 'web';
  appVersion?: string | null;
  osVersion?: string | null;
  deviceModel?: string | null;
  language?: string | null;
  timezone?: string | null;
  screen?: Partial<Screen> | null;
  url?: string | null;
  installReferrer?: string | null;
  referrerClickAt?: Date | null;
  installBeginAt?: Date | null;
  clipboard?: string | null;
  consent?: boolean | null;
}

/** All that can be found out about an opening before it is written down: hashes, tokens, the link of its URL. */
export async function prepareOpening(app: KeyPrincipal, input: OpenInput, address: string): Promise<Opening> {
  const atMs = clock.now();
  const { keys, placeOf, networkOf } = surroundings();
  await keys.renewal(atMs);
  const installId = input.installId.toLowerCase();
  const { addressHash, visitor } = keys.hashes(address, installId, atMs);
  return {
    projectId: app.projectId,
    teamId: app.teamId,
    installId,
    isFirst: input.firstOpen,
    atMs,
    device: deviceOf(input, atMs),
    appVersion: input.appVersion || null,
    place: placeOf(address),
    addressHashes: keys.addressHashes(address, atMs),
    addressHash,
    visitor,
    sharedNetwork: networkOf(address),
    urlLink: input.url ? await linkOfUrl(app.projectId, input.url) : null,
    tokens: tokensOf(app.projectId, input, atMs),
    consent: input.consent !== false,
  };
}

export function deviceOf(input: Omit<OpenInput, 'installId' | 'firstOpen'>, openedAt: number): DeviceFacts {
  const { platform, osVersion, deviceModel, language, timezone, screen } = input;
  const { width = null, height = null, scale = null } = screen ?? {};
  return {
    platform,
    osVersion: osVersion || null,
    deviceModel: deviceModel || null,
    language: language || null,
    timezone: timezone || null,
    screen: screen ? { width, height, scale } : null,
    openedAt,
  };
}

/** Referrer and clipboard tell where an install came from, so they are read at the first opening alone. */
function tokensOf(projectId: string, input: OpenInput, nowMs: number): BroughtToken[] {
  const installBeginAt = input.installBeginAt?.getTime() ?? null;
  const referrerClickAt = input.referrerClickAt?.getTime() ?? null;
  const places: [TokenSource, string | null | undefined][] = [['link', input.url]];
  if (input.firstOpen) places.push(['referrer', input.installReferrer], ['clipboard', input.clipboard]);
  return places.flatMap(([source, text]) => {
    const token = tokenIn(text);
    if (token === null) return [];
    // What Google Play tells of times is about its own referrer.
    const times = source === 'referrer' ? { installBeginAt, referrerClickAt } : NO_TIMES;
    return [{ source, judged: judgeToken(readClickToken(token, nowMs), { projectId, ...times }) }];
  });
}

const NO_TIMES = { installBeginAt: null, referrerClickAt: null };
