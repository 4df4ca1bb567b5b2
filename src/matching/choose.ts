import { dayOf } from '../kernel/durations.ts';
import type { DeviceFacts } from './deviceFacts.ts';
import type { MatchClick } from './matchClicks.ts';
import { type AddressFacts, type Factor, scoreClick, sumOf, THRESHOLD } from './score.ts';

/** A match is so many points ahead of the best click that leads to another link. */
export const MARGIN = 10;

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

/** Weighs clicks of the address that an app was opened from, and takes the best if it is good enough and clearly so. */
export function chooseClick(candidates: readonly Candidate[], device: DeviceFacts, address: AddressFacts): Choice {
  const weighed = candidates
    .map((candidate): Weighed => {
      const factors = scoreClick({ click: candidate.click, device, address });
      return { ...candidate, factors, score: sumOf(factors), verdict: obstacleOf(candidate, device) ?? 'less_likely' };
    })
    .sort((a, b) => b.score - a.score || b.click.clickedAt - a.click.clickedAt);
  const able = weighed.filter(({ verdict }) => verdict === 'less_likely');
  const [best] = able;
  const rival = able.find(({ click }) => click.linkId !== best?.click.linkId);
  const margin = best && rival ? best.score - rival.score : null;
  for (const one of able) if (one.score < THRESHOLD) one.verdict = 'below_threshold';
  if (!best || best.score < THRESHOLD) return { chosen: null, margin, weighed };
  if (margin !== null && margin < MARGIN) {
    for (const one of able) if (best.score - one.score < MARGIN) one.verdict = 'ambiguous';
    return { chosen: null, margin, weighed };
  }
  best.verdict = 'matched';
  return { chosen: best, margin, weighed };
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
  const open: Verdict[] = ['matched', 'less_likely', 'ambiguous'];
  return weighed.find(({ click, verdict }) => click.linkId === linkId && open.includes(verdict))?.click ?? null;
}

/**
 * The other clicks by the visitor of the chosen one. Of another UTC day a visitor has another hash; there it is whoever
 * has the same device at the same address.
 */
export function siblingsOf(chosen: MatchClick, clicks: readonly MatchClick[]): MatchClick[] {
  return clicks.filter((click) => {
    if (click.clickId === chosen.clickId || click.usedBy !== null) return false;
    return (
      click.visitor === chosen.visitor || (dayOf(click.clickedAt) !== dayOf(chosen.clickedAt) && isAlike(click, chosen))
    );
  });
}

function isAlike(one: MatchClick, other: MatchClick): boolean {
  return (['platform', 'osVersion', 'deviceModel', 'language'] as const).every((fact) => one[fact] === other[fact]);
}
