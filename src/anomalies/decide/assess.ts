import { countAtScore, countScore } from './countScore.ts';
import { type Expectation, expectAt } from './expectAt.ts';
import type { Direction } from './Incident.ts';
import { countAt, type Track } from './Track.ts';
import * as limits from './thresholds.ts';

/** What an hour had beside what is usual. */
export interface Judgement {
  hour: number;
  actual: number;
  expected: number;
  /** The usual range. */
  low: number;
  high: number;
  /** Standard deviations from it; negative: below. */
  score: number;
  /** What the hour is if it is not as usual. */
  verdict: Direction | null;
  /** It is no part of that incident any more; null: the hour has too little traffic to tell. */
  isCalm: Record<Direction, boolean | null>;
}

/** Hours just before. */
const BEFORE = [1, 2];

/** Judges how many people came in an hour. Null as long as too little is known of the project or link. */
export function judgePeople(track: Track, hour: number): Judgement | null {
  const usual = expectAt(track, hour);
  if (!usual) return null;
  const actual = countAt(track, hour);
  const scoreFrom = (expected: number) => countScore(actual, expected, usual.spread) / usual.doubt;
  const below = scoreFrom(usual.least);
  const above = scoreFrom(Math.max(usual.most, limits.LEAST_EXPECTED));
  const score = below < 0 ? below : Math.max(0, above);
  return {
    hour,
    actual,
    expected: usual.expected,
    low: countAtScore(-limits.USUAL_SCORE * usual.doubt, usual.least, usual.spread),
    high: countAtScore(limits.USUAL_SCORE * usual.doubt, usual.most, usual.spread),
    score,
    verdict: isDrop(track, hour, usual) ? 'drop' : isSpike(actual, above, usual) ? 'spike' : null,
    isCalm: {
      drop: canDrop(usual) ? below > -limits.CALM_SCORE || actual >= limits.CALM_DROP_SHARE * usual.least : null,
      spike: isSpikeOver(actual, above, usual),
      bot_flood: null,
    },
  };
}

function isSpikeOver(actual: number, above: number, { most }: Expectation): boolean | null {
  const isOver = above < limits.CALM_SCORE || actual <= limits.CALM_SPIKE_TIMES * Math.max(most, limits.LEAST_EXPECTED);
  return isOver && most < limits.LEAST_EXPECTED ? null : isOver;
}

/** Whether none at all would be clearly too few. */
function canDrop({ least, spread, doubt }: Expectation): boolean {
  return least >= limits.LEAST_EXPECTED && countScore(0, least, spread) / doubt <= -limits.CLEAR_SCORE;
}

/** A day may be as quiet as the quietest of the week (holidays), unless it became so from one hour to the next. */
function isDrop(track: Track, hour: number, usual: Expectation): boolean {
  if (usual.least < limits.LEAST_EXPECTED || !isBelow(track, hour, usual, usual.least, limits.DROP_SHARE)) return false;
  if (isBelow(track, hour, usual, usual.quiet, limits.QUIET_SHARE)) return true;
  const before = expectAt(track, hour - 1);
  return isAbrupt(track, hour, usual) || (before !== null && isAbrupt(track, hour - 1, before));
}

function isAbrupt(track: Track, hour: number, usual: Expectation): boolean {
  return isBelow(track, hour, usual, usual.least * shareBefore(track, hour), limits.ABRUPT_SHARE);
}

function isBelow(track: Track, hour: number, { spread, doubt }: Expectation, expected: number, share: number): boolean {
  const actual = countAt(track, hour);
  return actual <= share * expected && countScore(actual, expected, spread) / doubt <= -limits.CLEAR_SCORE;
}

/** How much of the usual traffic the hours before had, at most all of it. */
function shareBefore(track: Track, hour: number): number {
  let [actual, expected] = [0, 0];
  for (const before of BEFORE) {
    actual += countAt(track, hour - before);
    expected += expectAt(track, hour - before)?.expected ?? 0;
  }
  return expected > 0 ? Math.min(1, actual / expected) : 0;
}

function isSpike(actual: number, above: number, { most }: Expectation): boolean {
  return actual >= limits.SPIKE_TIMES * Math.max(most, limits.LEAST_EXPECTED) && above >= limits.CLEAR_SCORE;
}
