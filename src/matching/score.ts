import { compareLanguages, compareModels, compareScreens, compareVersions, compareZones } from './compareDevices.ts';
import type { ClickDevice, DeviceFacts } from './deviceFacts.ts';

/** What speaks for a click, or against it. */
export interface Factor {
  name: string;
  points: number;
}

/** What is known of the address that an app was opened from. */
export interface AddressFacts {
  /** It says nothing, because many people have it. */
  isShared: boolean;
  /** Who clicked from there within a day. */
  visitors: number;
}

/** What is compared with each click. */
export interface Comparison {
  click: ClickDevice;
  device: DeviceFacts;
  address: AddressFacts;
}

/** A match needs so many points (api.md §6). */
export const THRESHOLD = 70;

/**
 * What is alike, with the points of each outcome. Without the address all together, with the most that recency gives, are
 * 65: whatever else is alike, an address that many share is not enough. All numbers were tried on simulated fleets
 * (`npm run bench -- fleet`).
 */
const LIKENESS: Record<string, { points: Record<string, number>; judge: (compared: Comparison) => string }> = {
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
  const alike = Object.entries(LIKENESS).flatMap(([name, { points, judge }]): Factor[] => {
    const outcome = judge(compared);
    return outcome === 'unknown' ? [] : [{ name, points: points[outcome] ?? 0 }];
  });
  const address = { name: 'address', points: addressPoints(compared.address) };
  return [address, ...alike, { name: 'recency', points: recencyPoints(compared) }];
}

/** Of an address from which one person clicked, and what each further one takes from it. */
const ADDRESS = 60;
const EACH_FURTHER = 6;

function addressPoints({ isShared, visitors }: AddressFacts): number {
  return isShared ? 0 : Math.max(0, ADDRESS - EACH_FURTHER * (Math.max(1, visitors) - 1));
}

const AT_ONCE = 10;
/** After an hour. Whoever sets a longer window wants older clicks to count as well. */
const LEAST = -25;

/** 10 at once, 0 after 6 minutes, −10 after 18, −25 from an hour on. */
function recencyPoints({ click, device }: Comparison): number {
  const minutes = Math.max(0, device.openedAt - click.clickedAt) / 60_000;
  return Math.max(LEAST, Math.round(AT_ONCE - 10 * Math.log2(1 + minutes / 6)));
}

export function sumOf(factors: readonly Factor[]): number {
  return factors.reduce((sum, { points }) => sum + points, 0);
}
