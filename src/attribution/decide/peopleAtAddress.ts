import { DAY_MS, dayOf } from '../kernel/durations.ts';
import type { DeviceFacts } from './deviceFacts.ts';
import type { MatchClick } from './matchClicks.ts';

/** An app that was opened at the address before. */
export interface SeenInstall
  extends Pick<DeviceFacts, 'platform' | 'osVersion' | 'deviceModel' | 'language' | 'openedAt'> {
  installId: string;
}

/** How many phones are known at the address of a click beside the one that made it. */
export type OthersBeside = (click: MatchClick) => number;

/**
 * Somebody whose phone cannot be told apart from a housemate's is found only where nobody else is known: so it matters who
 * else clicked on links of the project from there within a day, and which installs were opened there. An install that a
 * click led to is the phone that clicked, and counts once. Desktops don't count: they say nothing of further phones.
 */
export function othersAt(
  clicks: readonly MatchClick[],
  seen: readonly SeenInstall[],
  device: DeviceFacts,
): OthersBeside {
  const nowMs = device.openedAt;
  const lately = clicks.filter(({ platform, clickedAt }) => isPhone(platform) && nowMs - clickedAt < DAY_MS);
  const people = peopleAmong(lately).map((person) => new Set(person.map(({ clickId }) => clickId)));
  const known = new Set(lately.flatMap(({ usedBy }) => usedBy ?? []));
  const opened = seen.filter(({ installId, platform, openedAt }) => {
    return isPhone(platform) && nowMs - openedAt < DAY_MS && !known.has(installId);
  });
  // What is the same in everything is the same phone, with the app installed anew.
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
 * Clicks by who made them, as far as that can be told. A visitor is an address and a browser; another language is another
 * person all the same. Of another UTC day a visitor has another hash; there it is whoever has the same device.
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
