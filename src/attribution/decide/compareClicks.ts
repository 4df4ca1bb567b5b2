import type { MatchClick } from '../../clicks/matchClickStore.ts';
import type { Link } from '../../models/Link.ts';
import type { MatchFacts } from '../../models/match.ts';
import type { Project } from '../../models/Project.ts';
import { type Candidate, type Choice, chooseClick, type Verdict } from './chooseClick.ts';
import type { DeviceFacts } from './compareDevices.ts';
import {
  type OthersAtAddress,
  othersAtAddress,
  type SeenInstall,
  sharedReason,
  visitorsAmong,
} from './peopleAtAddress.ts';
import { confidenceOf } from './score.ts';

/** Clicks from one address, with those of their links that still exist. */
export interface ClicksOfAddress {
  clicks: MatchClick[];
  /** By id. */
  links: ReadonlyMap<string, Pick<Link, 'matchWindowSeconds' | 'flaggedAt'>>;
  /** Other apps that were opened at the address. */
  seen?: readonly SeenInstall[];
  /** Replaces the number that is counted from the clicks. */
  visitors?: number;
  /** Replaces the numbers that are counted from the clicks and `seen`. */
  countOthers?: OthersAtAddress;
  /** Why simulated clicks cannot match, by their ids. */
  obstacles?: ReadonlyMap<string, Verdict>;
}

/** What the clicks from an address say about an opening. */
export interface ClickComparison {
  choice: Choice;
  /** Why the address identifies nobody; null if it does. */
  sharedReason: string | null;
  /** The most visitors that the address had on one of the last two days; infinity if there were too many to count. */
  visitors: number;
}

/** `windowMs` is the project's match window; a link may have its own. */
interface ComparedOpening {
  device: DeviceFacts;
  sharedNetwork: string | null;
  atMs: number;
  windowMs: number;
}

/** Compares the clicks from an address with the device that opened an app. */
export function compareClicks(
  { device, sharedNetwork, atMs, windowMs }: ComparedOpening,
  address: ClicksOfAddress,
): ClickComparison {
  const { clicks, links, obstacles, seen = [], visitors = visitorsAmong(clicks, atMs) } = address;
  const reason = sharedReason(sharedNetwork, visitors);
  const eligible = clicks.filter(({ clickId }) => !obstacles?.has(clickId));
  const candidates = clicks.map((click) => ({
    ...candidateOf(click, links.get(click.linkId), windowMs),
    obstacle: obstacles?.get(click.clickId) ?? null,
  }));
  const countOthers = address.countOthers ?? othersAtAddress(eligible, seen, device);
  const choice = chooseClick(candidates, device, { isShared: reason !== null, countOthers });
  return { choice, sharedReason: reason, visitors };
}

function candidateOf(
  click: MatchClick,
  link: Pick<Link, 'matchWindowSeconds' | 'flaggedAt'> | undefined,
  windowMs: number,
): Candidate {
  if (!link) return { click, windowMs, linkState: 'gone' };
  const { matchWindowSeconds, flaggedAt } = link;
  const linkState = flaggedAt === null ? 'good' : 'flagged';
  return { click, windowMs: matchWindowSeconds ? matchWindowSeconds * 1000 : windowMs, linkState };
}

/** The match that follows from a comparison. If there is none, its one factor says why. */
export function matchFromComparison({ choice, sharedReason }: ClickComparison): MatchFacts {
  const { chosen, scored } = choice;
  if (!chosen) {
    const why = whyNone(sharedReason, new Set(scored.map(({ verdict }) => verdict)));
    return { method: 'none', confidence: 0, factors: [{ name: why, points: 0 }], clickedAt: null };
  }
  const { click, score, factors } = chosen;
  return { method: 'probabilistic', confidence: confidenceOf(score), factors, clickedAt: new Date(click.clickedAt) };
}

function whyNone(sharedReason: string | null, verdicts: ReadonlySet<string>): string {
  if (verdicts.has('ambiguous')) return 'ambiguous';
  if (verdicts.has('below_threshold')) return sharedReason ?? 'below_threshold';
  return verdicts.has('used') ? 'click_used' : 'no_click';
}

/** Why the device may not be compared with clicks at all; null if it may. */
export function whyNotCompared(
  project: Pick<Project, 'probabilisticMatching'> | undefined,
  { platform }: { platform: string },
  consent: boolean,
): string | null {
  if (!consent) return 'no_consent';
  if (!project?.probabilisticMatching) return 'probabilistic_off';
  return platform === 'web' ? 'platform_web' : null;
}
