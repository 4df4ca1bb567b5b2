import type { ClickDevice } from '../../clicks/matchClickStore.ts';
import type { Factor } from '../../models/match.ts';
import {
  compareLanguages,
  compareModels,
  compareScreens,
  compareVersions,
  compareZones,
  type DeviceFacts,
} from './compareDevices.ts';

/** One click, and what it is compared with. */
export interface Comparison {
  click: ClickDevice;
  device: DeviceFacts;
  /** Many people share the address, so it gives no points. */
  isShared: boolean;
  /** Other phones known at the address. */
  others: number;
}

/** The points that a match needs (api.md §6). */
export const THRESHOLD = 70;

/**
 * The points of each factor, by the outcome of its comparison. Without the address, all factors together give at most 65: on
 * a shared address nothing matches. The numbers were tuned on simulated fleets (`npm run bench -- fleet`).
 */
export const POINTS = {
  /** `alone`: no other phone is known at the address; `first` and `further` are added for other phones. */
  address: { alone: 85, first: -40, further: -5 },
  platform: { same: 5, different: -100 },
  os_version: { same: 20, related: 5, different: -80 },
  /** `related`: both are iPhones, and one side does not name the model. */
  device_model: { same: 15, related: 5, different: -80 },
  language: { same: 10, related: 10, different: -40 },
  /** `unlikely`: not a zone of the click's country. `different`: not the zone that the page before the store reported. */
  timezone: { same: 5, unlikely: -10, different: -80 },
  screen: { same: 10, different: -80 },
  /** `each × log2(1 + age / minutes)`, but not below `least`. */
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

/** Scores how well a click fits an opening: every factor that is known on both sides, with its points. */
export function scoreClick(compared: Comparison, points: Points = POINTS): Factor[] {
  const alike = Object.entries(LIKENESS).flatMap(([name, compare]): Factor[] => {
    const outcome = compare(compared);
    if (outcome === 'unknown') return [];
    const outcomes: Record<string, number> = points[name as keyof Points];
    return [{ name, points: outcomes[outcome] ?? 0 }];
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

/**
 * From each score on, how many of a hundred guesses are right. Fitted on simulated fleets with the seeds 1001 to 1040;
 * `npm run bench -- fleet` prints the table again, and how well it holds on other fleets.
 */
export const CONFIDENCE: readonly (readonly [score: number, confidence: number])[] = [
  [70, 95],
  [80, 96],
  [85, 98],
  [115, 99],
];

/** The confidence of a guess in percent. docs/matching.md says how well it held on other fleets. */
export function confidenceOf(score: number): number {
  return CONFIDENCE.findLast(([from]) => score >= from)?.[1] ?? 0;
}
