import type { MatchClick } from '../../clicks/matchClickStore.ts';
import { type Factor, sumOf } from '../../models/match.ts';
import type { DeviceFacts } from './compareDevices.ts';
import { type OthersAtAddress, peopleAmong } from './peopleAtAddress.ts';
import { POINTS, type Points, scoreClick, THRESHOLD } from './score.ts';

/** By this many points a match must lead the best click on another link. */
export const MARGIN = 10;

/** Benchmarks try other values. */
export interface ChoiceRules {
  threshold: number;
  margin: number;
  points: Points;
}

const RULES: ChoiceRules = { threshold: THRESHOLD, margin: MARGIN, points: POINTS };

/** Whether a click matched, or why it did not. */
export type Verdict =
  | 'matched'
  | 'used'
  | 'outside_window'
  | 'other_platform'
  | 'link_gone'
  | 'link_flagged'
  | 'other_address'
  | 'not_a_person'
  | 'below_threshold'
  | 'ambiguous'
  | 'not_the_last'
  | 'less_likely';

/** A click to compare. `windowMs` and `linkState` belong to its link; simulated clicks may have an `obstacle` of their own. */
export interface Candidate {
  click: MatchClick;
  windowMs: number;
  linkState: 'good' | 'gone' | 'flagged';
  obstacle?: Verdict | null;
}

export interface ScoredClick extends Candidate {
  /** The sum of the factors, without a limit. */
  score: number;
  factors: Factor[];
  verdict: Verdict;
}

export interface Choice {
  chosen: ScoredClick | null;
  /** By how many points the best click leads the best click on another link; null if there is none. */
  margin: number | null;
  /** The best first. */
  scored: ScoredClick[];
}

/** What is known about the address that an app was opened from. */
export interface AddressFacts {
  /** Many people share the address, so it gives no points. */
  isShared: boolean;
  countOthers: OthersAtAddress;
}

/**
 * Scores the clicks from the address that an app was opened from, and chooses the best if it reaches the threshold and leads
 * by the margin. If one visitor followed several links, the last click counts: only other visitors' clicks compete with it.
 */
export function chooseClick(
  candidates: readonly Candidate[],
  device: DeviceFacts,
  { isShared, countOthers }: AddressFacts,
  { threshold, margin: required, points }: ChoiceRules = RULES,
): Choice {
  const scored = candidates
    .map((candidate): ScoredClick => {
      const { click } = candidate;
      const factors = scoreClick({ click, device, isShared, others: countOthers(click) }, points);
      return { ...candidate, factors, score: sumOf(factors), verdict: obstacleOf(candidate, device) ?? 'less_likely' };
    })
    .sort((a, b) => b.score - a.score || b.click.clickedAt - a.click.clickedAt);
  markEarlierClicks(scored.filter(({ verdict, score }) => verdict === 'less_likely' && score >= threshold));
  const able = scored.filter(({ verdict }) => verdict === 'less_likely');
  const [best] = able;
  const rival = able.find(({ click }) => click.linkId !== best?.click.linkId);
  const margin = best && rival ? best.score - rival.score : null;
  for (const one of able) if (one.score < threshold) one.verdict = 'below_threshold';
  if (!best || best.score < threshold) return { chosen: null, margin, scored };
  if (margin !== null && margin < required) {
    for (const one of able) if (best.score - one.score < required) one.verdict = 'ambiguous';
    return { chosen: null, margin, scored };
  }
  best.verdict = 'matched';
  return { chosen: best, margin, scored };
}

/** Marks all clicks of a person except the last one. `able` are the clicks that could each match. */
function markEarlierClicks(able: readonly ScoredClick[]): void {
  const byClick = new Map(able.map((one) => [one.click, one]));
  for (const person of peopleAmong(able.map(({ click }) => click))) {
    const last = person.reduce((one, other) => (other.clickedAt > one.clickedAt ? other : one));
    for (const click of person) if (click !== last) (byClick.get(click) as ScoredClick).verdict = 'not_the_last';
  }
}

/** Several processes, whose clocks differ, take the times of clicks and openings. */
const CLOCKS_DIFFER_MS = 5000;

/** Why a click cannot match, regardless of its score; null if it can. */
function obstacleOf({ click, windowMs, linkState, obstacle = null }: Candidate, device: DeviceFacts): Verdict | null {
  if (obstacle !== null) return obstacle;
  if (click.usedBy !== null) return 'used';
  if (click.platform !== device.platform) return 'other_platform';
  const ageMs = device.openedAt - click.clickedAt;
  if (ageMs < -CLOCKS_DIFFER_MS || ageMs > windowMs) return 'outside_window';
  if (linkState !== 'good') return linkState === 'gone' ? 'link_gone' : 'link_flagged';
  return null;
}

/** The click on a known link that most likely led to the opening; null if none is likely. */
export function clickOnLink({ scored }: Choice, linkId: string): MatchClick | null {
  const open: Verdict[] = ['matched', 'less_likely', 'ambiguous', 'not_the_last'];
  return scored.find(({ click, verdict }) => click.linkId === linkId && open.includes(verdict))?.click ?? null;
}

/** The other unused clicks of the person who made the chosen one. */
export function siblingsOf(chosen: MatchClick, clicks: readonly MatchClick[]): MatchClick[] {
  const own = peopleAmong(clicks).find((person) => person.some(({ clickId }) => clickId === chosen.clickId)) ?? [];
  return own.filter(({ clickId, usedBy }) => clickId !== chosen.clickId && usedBy === null);
}
