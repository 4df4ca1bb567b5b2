import type { KeyPrincipal } from '../access/principal.ts';
import type { Screen } from '../clicks/matchClickStore.ts';
import { clock } from '../kernel/clock.ts';
import { checkToken, readClickToken, type TokenSource, tokenIn } from './clickTokens.ts';
import type { AttributionContext } from './context.ts';
import type { DeviceFacts } from './decide/compareDevices.ts';
import { linkOfUrl } from './linkOfUrl.ts';
import type { Opening, PresentedToken } from './Opening.ts';

/** The input of `recordOpen`, after the API has validated it. */
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

/** Resolves everything that needs no transaction: hashes of the address, its place, the tokens, the link of the URL. */
export async function prepareOpening(
  app: KeyPrincipal,
  input: OpenInput,
  address: string,
  { keys, placeOf, networkOf }: AttributionContext,
): Promise<Opening> {
  const atMs = clock.now();
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

/** The device as it is compared with clicks. */
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

const NO_TIMES = { installBeginAt: null, referrerClickAt: null };

/** Referrer and clipboard say where an install came from, so they are only read on the first opening. */
function tokensOf(projectId: string, input: OpenInput, nowMs: number): PresentedToken[] {
  const installBeginAt = input.installBeginAt?.getTime() ?? null;
  const referrerClickAt = input.referrerClickAt?.getTime() ?? null;
  const sources: [TokenSource, string | null | undefined][] = [['link', input.url]];
  if (input.firstOpen) sources.push(['referrer', input.installReferrer], ['clipboard', input.clipboard]);
  return sources.flatMap(([source, text]) => {
    const token = tokenIn(text);
    if (token === null) return [];
    // The times that Google Play reports belong to its own referrer.
    const times = source === 'referrer' ? { installBeginAt, referrerClickAt } : NO_TIMES;
    return [{ source, check: checkToken(readClickToken(token, nowMs), { projectId, ...times }) }];
  });
}
