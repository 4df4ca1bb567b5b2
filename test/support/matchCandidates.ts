import type { AddressFacts, Candidate } from '../../src/attribution/decide/chooseClick.ts';
import type { DeviceFacts } from '../../src/attribution/decide/compareDevices.ts';
import type { MatchClick } from '../../src/clicks/matchClickStore.ts';

export const AT = Date.UTC(2026, 10, 21, 12);
export const HOUR_MS = 3_600_000;

export const DEVICE: DeviceFacts = {
  platform: 'ios',
  osVersion: '18.6',
  deviceModel: 'iPhone17,3',
  language: 'de-DE',
  timezone: 'Europe/Berlin',
  screen: null,
  openedAt: AT,
};

/** A click a minute ago that fits the device in all that browsers tell. */
export function clickOf(more: Partial<MatchClick> = {}): MatchClick {
  return {
    clickId: 'clk_1',
    linkId: 'lnk_1',
    visitor: 'visitor-1',
    clickedAt: AT - 60_000,
    platform: 'ios',
    osVersion: '18.6',
    deviceModel: 'iPhone',
    language: 'de-de',
    country: 'DE',
    timezone: null,
    screen: null,
    usedBy: null,
    ...more,
  };
}

export function candidateOf(click: Partial<MatchClick> = {}, more: Partial<Candidate> = {}): Candidate {
  return { click: clickOf(click), windowMs: HOUR_MS, linkState: 'good', ...more };
}

export const OWN: AddressFacts = { isShared: false, countOthers: () => 0 };
export const SHARED: AddressFacts = { isShared: true, countOthers: () => 0 };
