import { compareLanguages, compareModels, compareScreens, compareVersions, compareZones } from './compareDevices.ts';
import type { ClickDevice, DeviceFacts } from './deviceFacts.ts';

/** What speaks for a click, or against it. */
export interface Factor {
  name: string;
  points: number;
}

/** What is compared with each click. */
export interface Comparison {
  click: ClickDevice;
  device: DeviceFacts;
  /** Many people have the address, so it says nothing. */
  isShared: boolean;
  /** Phones that are known at the address beside the one that clicked. */
  others: number;
}

/** A match needs so many points (api.md §6). */
export const THRESHOLD = 70;

/**
 * What is alike, with the points of each outcome. Without the address all together are at most 65: whatever else is alike,
 * an address that many share is not enough. All numbers were tried on simulated fleets (`npm run bench -- fleet`).
 */
export const POINTS = {
  /** Of an address where no other phone is known; what the first other one takes from it, and each further one. */
  address: { alone: 85, first: -40, further: -5 },
  platform: { same: 5, different: -100 },
  os_version: { same: 20, related: 5, different: -80 },
  /** `related`: an iPhone, and no word of which. */
  device_model: { same: 15, related: 5, different: -80 },
  language: { same: 10, related: 10, different: -40 },
  /** `unlikely`: not a zone of the click's country. `different`: not the one that the page before the store was told. */
  timezone: { same: 5, unlikely: -10, different: -80 },
  screen: { same: 10, different: -80 },
  /** Falls with the logarithm of the age, by so many points each time that `minutes` and it double; not below `least`. */
  recency: { each: -6, minutes: 2, least: -30 },
};

export type Points = typeof POINTS;

const LIKENESS: Record<string, (compared: Comparison) => string> = {
  platform: ({ click, device }) => (click.platform === device.platform ? 'same' : 'different'),
  os_version: ({ click, device }) => compareVersions(click.osVersion, device.osVersion),
  device_model: ({ click, device }) => compareModels(click.deviceModel, device.deviceModel),
  language: ({ click, device }) => compareLanguages(click.language, device.language),
  timezone: ({ click, device }) => compareZones(click, device.timezone),
  screen: ({ click, device }) => compareScreens(click.screen, device.screen),
};

/** How well a click fits an opened app: each factor that anything is known of, with its points. */
export function scoreClick(compared: Comparison, points: Points = POINTS): Factor[] {
  const alike = Object.entries(LIKENESS).flatMap(([name, judge]): Factor[] => {
    const outcome = judge(compared);
    if (outcome === 'unknown') return [];
    const given: Record<string, number> = points[name as keyof Points];
    return [{ name, points: given[outcome] ?? 0 }];
  });
  const address = { name: 'address', points: addressPoints(compared, points) };
  return [address, ...alike, { name: 'recency', points: recencyPoints(compared, points) }];
}

function addressPoints({ isShared, others }: Comparison, { address: { alone, first, further } }: Points): number {
  if (isShared) return 0;
  return others === 0 ? alone : Math.max(0, alone + first + further * (others - 1));
}

function recencyPoints({ click, device }: Comparison, { recency: { each, minutes, least } }: Points): number {
  const age = Math.max(0, device.openedAt - click.clickedAt) / 60_000;
  return Math.max(least, Math.round(each * Math.log2(1 + age / minutes))) || 0;
}

export function sumOf(factors: readonly Factor[]): number {
  return factors.reduce((sum, { points }) => sum + points, 0);
}
