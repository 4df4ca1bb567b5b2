import { compareLanguages, compareModels, compareScreens, compareVersions, compareZones } from './compareDevices.ts';
import type { ClickDevice, DeviceFacts } from './deviceFacts.ts';

/** What speaks for a click, or against it. */
export interface Factor {
  name: string;
  points: number;
}

/** What is compared with each click. `isShared`: the address says nothing, because many people have it. */
export interface Comparison {
  click: ClickDevice;
  device: DeviceFacts;
  isShared: boolean;
}

/** A match needs so many points (api.md §6). */
export const THRESHOLD = 70;

/** Log-scaled: of two clicks the newer one is clearly nearer only when it is several times as young. */
const RECENT = 10;

/**
 * Every factor with the points of each outcome. Without the address all others together give 65: whatever else is alike,
 * an address that many share is not enough. With it, what browsers tell of nearly every phone (its language) is.
 * The numbers were tried on the simulated fleet in bench/fleet.ts.
 */
const FACTORS: Record<string, { points: Record<string, number>; judge: (compared: Comparison) => string }> = {
  address: {
    points: { equal: 50, shared: 0 },
    judge: ({ isShared }) => (isShared ? 'shared' : 'equal'),
  },
  platform: {
    points: { same: 5, different: -100 },
    judge: ({ click, device }) => (click.platform === device.platform ? 'same' : 'different'),
  },
  os_version: {
    points: { same: 15, related: 5, different: -40 },
    judge: ({ click, device }) => compareVersions(click.osVersion, device.osVersion),
  },
  device_model: {
    points: { same: 10, different: -60 },
    judge: ({ click, device }) => compareModels(click.deviceModel, device.deviceModel),
  },
  language: {
    points: { same: 10, related: 5, different: -20 },
    judge: ({ click, device }) => compareLanguages(click.language, device.language),
  },
  timezone: {
    points: { same: 5, unlikely: -10, different: -20 },
    judge: ({ click, device }) => compareZones(click, device.timezone),
  },
  screen: {
    points: { same: 10, different: -40 },
    judge: ({ click, device }) => compareScreens(click.screen, device.screen),
  },
};

/** How well a click fits an opened app: each factor that anything is known of, with its points. */
export function scoreClick(compared: Comparison): Factor[] {
  const factors = Object.entries(FACTORS).flatMap(([name, { points, judge }]): Factor[] => {
    const outcome = judge(compared);
    return outcome === 'unknown' ? [] : [{ name, points: points[outcome] ?? 0 }];
  });
  return [...factors, { name: 'recency', points: recencyPoints(compared) }];
}

/** 10 at once, 8 after 2 minutes, 5 after 9, 0 after an hour. */
function recencyPoints({ click, device }: Comparison): number {
  const minutes = Math.max(0, device.openedAt - click.clickedAt) / 60_000;
  return Math.max(0, Math.round(RECENT - 2 * Math.log2(1 + minutes / 2)));
}

export function sumOf(factors: readonly Factor[]): number {
  return factors.reduce((sum, { points }) => sum + points, 0);
}
