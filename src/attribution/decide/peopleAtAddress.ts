import type { MatchClick } from '../../clicks/matchClickStore.ts';
import { DAY_MS, dayOf } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import type { DeviceFacts } from './compareDevices.ts';

/** An install whose app was opened at the address before. */
export interface SeenInstall
  extends Pick<DeviceFacts, 'platform' | 'osVersion' | 'deviceModel' | 'language' | 'openedAt'> {
  installId: string;
}

/** Counts the phones known at the address of a click, without the one that clicked. */
export type OthersAtAddress = (click: MatchClick) => number;

/**
 * Two identical phones in one household cannot be told apart, so an address is worth less the more phones are known there:
 * those that clicked on links of the project within a day, and those whose app was opened there. An install that was
 * attributed to a click is the phone that clicked, and counts once. Desktops do not count: they say nothing about phones.
 */
export function othersAtAddress(
  clicks: readonly MatchClick[],
  seen: readonly SeenInstall[],
  device: DeviceFacts,
): OthersAtAddress {
  const nowMs = device.openedAt;
  const lately = clicks.filter(({ platform, clickedAt }) => isPhone(platform) && nowMs - clickedAt < DAY_MS);
  const people = peopleAmong(lately).map((person) => new Set(person.map(({ clickId }) => clickId)));
  const known = new Set(lately.flatMap(({ usedBy }) => usedBy ?? []));
  const opened = seen.filter(({ installId, platform, openedAt }) => {
    return isPhone(platform) && nowMs - openedAt < DAY_MS && !known.has(installId);
  });
  // If all facts are the same, it is the same phone, on which the app was reinstalled.
  const phones = opened.filter((install) => !isSamePhone(install, device));
  const strays = new Set(phones.map(({ installId }) => installId)).size;
  return ({ clickId }) => strays + people.filter((person) => !person.has(clickId)).length;
}

function isSamePhone(one: SeenInstall, other: DeviceFacts): boolean {
  if (one.deviceModel === null) return false;
  return (['platform', 'osVersion', 'deviceModel', 'language'] as const).every((fact) => one[fact] === other[fact]);
}

function isPhone(platform: string): boolean {
  return platform === 'ios' || platform === 'android';
}

/**
 * Groups clicks by the person who made them, as far as that is known. A visitor hash stands for an address and a browser;
 * different languages are different people. The hash changes with the UTC day, so across days the same device is the same
 * person.
 */
export function peopleAmong(clicks: readonly MatchClick[]): MatchClick[][] {
  const ofDays = Map.groupBy(clicks, (click) => `${dayOf(click.clickedAt)} ${click.visitor} ${click.language}`);
  const byDevice = new Map<string, MatchClick[]>();
  const people: MatchClick[][] = [];
  for (const ofDay of ofDays.values()) {
    const [first] = ofDay as [MatchClick, ...MatchClick[]];
    const before = byDevice.get(deviceKey(first));
    if (before && !before.some(({ clickedAt }) => dayOf(clickedAt) === dayOf(first.clickedAt))) before.push(...ofDay);
    else people.push(ofDay);
    if (!before) byDevice.set(deviceKey(first), ofDay);
  }
  return people;
}

function deviceKey({ platform, osVersion, deviceModel, language }: MatchClick): string {
  return JSON.stringify([platform, osVersion, deviceModel, language]);
}

/** The most clicks that are read for an address and a day. An address with more is shared. */
export const MAX_CLICKS_READ = 200;

/** Why an address identifies nobody; null if it does. */
type SharedReason = 'shared_network' | 'many_visitors' | null;

/** `visitors` is the number that clicked from the address within a day. */
export function sharedReason(network: string | null, visitors: number): SharedReason {
  if (network !== null) return 'shared_network';
  return visitors > config.matchSharedVisitors ? 'many_visitors' : null;
}

/**
 * The visitors at an address in the last 24 hours; infinity if there were too many clicks to count. Visitors can only be
 * told apart within a UTC day, so the larger count of the two days is returned.
 */
export function visitorsAmong(clicks: readonly MatchClick[], nowMs: number): number {
  const lately = clicks.filter(({ clickedAt }) => nowMs - clickedAt < DAY_MS);
  const days = [...Map.groupBy(lately, ({ clickedAt }) => dayOf(clickedAt)).values()];
  const counts = days.map((ofDay) =>
    ofDay.length >= MAX_CLICKS_READ ? Number.POSITIVE_INFINITY : new Set(ofDay.map(({ visitor }) => visitor)).size,
  );
  return Math.max(0, ...counts);
}
