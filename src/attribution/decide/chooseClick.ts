import { type OthersBeside, peopleAmong } from './beside.ts';
import type { DeviceFacts } from './deviceFacts.ts';
import type { MatchClick } from './matchClicks.ts';
import { type Factor, POINTS, type Points, scoreClick, sumOf, THRESHOLD } from './score.ts';

/** A match is so many points ahead of the best click that leads to another link. */
export const MARGIN = 10;

/** What a benchmark may try otherwise. */
export interface ChoiceRules {
  threshold: number;
  margin: number;
  points: Points;
}

const RULES: ChoiceRules = { threshold: THRESHOLD, margin: MARGIN, points: POINTS };

/** Why a click is the one, or is not. */
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

/** A click that may be the one; `windowMs` and `linkState` are its link's. Of what is made up `obstacle` tells more. */
export interface Candidate {
  click: MatchClick;
  windowMs: number;
  linkState: 'good' | 'gone' | 'flagged';
  obstacle?: Verdict | null;
}

export interface Weighed extends Candidate {
  /** Not capped. */
  score: number;
  factors: Factor[];
  verdict: Verdict;
}

export interface Choice {
  chosen: Weighed | null;
  /** How far the best click is ahead of the best one of another link; null without such. */
  margin: number | null;
  /** The best first. */
  weighed: Weighed[];
}

/** What is known of the address that an app was opened from. */
export interface AddressFacts {
  /** It says nothing, because many people have it. */
  isShared: boolean;
  othersBeside: OthersBeside;
}

/**
 * Weighs clicks of the address that an app was opened from, and takes the best if it is good enough and clearly so. Of
 * somebody who followed several links the last click counts: only others' clicks are rivals.
 */
export function chooseClick(
  candidates: readonly Candidate[],
  device: DeviceFacts,
  { isShared, othersBeside }: AddressFacts,
  { threshold, margin: required, points }: ChoiceRules = RULES,
): Choice {
  const weighed = candidates
    .map((candidate): Weighed => {
      const { click } = candidate;
      const factors = scoreClick({ click, device, isShared, others: othersBeside(click) }, points);
      return { ...candidate, factors, score: sumOf(factors), verdict: obstacleOf(candidate, device) ?? 'less_likely' };
    })
    .sort((a, b) => b.score - a.score || b.click.clickedAt - a.click.clickedAt);
  passOverEarlier(weighed.filter(({ verdict, score }) => verdict === 'less_likely' && score >= threshold));
  const able = weighed.filter(({ verdict }) => verdict === 'less_likely');
  const [best] = able;
  const rival = able.find(({ click }) => click.linkId !== best?.click.linkId);
  const margin = best && rival ? best.score - rival.score : null;
  for (const one of able) if (one.score < threshold) one.verdict = 'below_threshold';
  if (!best || best.score < threshold) return { chosen: null, margin, weighed };
  if (margin !== null && margin < required) {
    for (const one of able) if (best.score - one.score < required) one.verdict = 'ambiguous';
    return { chosen: null, margin, weighed };
  }
  best.verdict = 'matched';
  return { chosen: best, margin, weighed };
}

/** Of clicks that could each be the one. */
function passOverEarlier(able: readonly Weighed[]): void {
  const byClick = new Map(able.map((one) => [one.click, one]));
  for (const person of peopleAmong(able.map(({ click }) => click))) {
    const last = person.reduce((one, other) => (other.clickedAt > one.clickedAt ? other : one));
    for (const click of person) if (click !== last) (byClick.get(click) as Weighed).verdict = 'not_the_last';
  }
}

/** Clicks and openings are timed by several processes. */
const CLOCKS_DIFFER_MS = 5000;

/** What keeps a click out, whatever its score. */
function obstacleOf({ click, windowMs, linkState, obstacle = null }: Candidate, device: DeviceFacts): Verdict | null {
  if (obstacle !== null) return obstacle;
  if (click.usedBy !== null) return 'used';
  if (click.platform !== device.platform) return 'other_platform';
  const ageMs = device.openedAt - click.clickedAt;
  if (ageMs < -CLOCKS_DIFFER_MS || ageMs > windowMs) return 'outside_window';
  if (linkState !== 'good') return linkState === 'gone' ? 'link_gone' : 'link_flagged';
  return null;
}

/** The click that most likely led to an opening of which the link is known; null: none is likely. */
export function clickOnLink({ weighed }: Choice, linkId: string): MatchClick | null {
  const open: Verdict[] = ['matched', 'less_likely', 'ambiguous', 'not_the_last'];
  return weighed.find(({ click, verdict }) => click.linkId === linkId && open.includes(verdict))?.click ?? null;
}

/** The other clicks of who made the chosen one. */
export function siblingsOf(chosen: MatchClick, clicks: readonly MatchClick[]): MatchClick[] {
  const own = peopleAmong(clicks).find((person) => person.some(({ clickId }) => clickId === chosen.clickId)) ?? [];
  return own.filter(({ clickId, usedBy }) => clickId !== chosen.clickId && usedBy === null);
}
