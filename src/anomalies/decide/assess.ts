import { type Expectation, expectationAt } from './expectation.ts';
import { countAt, type Direction, type Track, WEEK_HOURS } from './Track.ts';
import * as limits from './thresholds.ts';

/** The traffic of an hour compared with usual traffic. */
export interface Assessment {
  hour: number;
  actual: number;
  expected: number;
  /** The usual range. */
  low: number;
  high: number;
  /** Distance from the expected range in standard deviations; negative below it. */
  score: number;
  /** The kind of incident that the hour looks like; null if it is as usual. */
  verdict: Direction | null;
  /** Whether the hour shows that such an incident is over; null if it has too little traffic to tell. */
  isCalm: Record<Direction, boolean | null>;
}

/** Offsets of the hours just before. */
const BEFORE = [1, 2];
/** Crawlers come in bursts: the traffic of the busiest hours of a week is usual. */
const BUSY_SHARE = 0.97;
/** The spread of bots and scanners within an hour. */
const ROBOT_SPREAD = 0.3;
/** Anscombe's constant for `stable`. */
const OFFSET = 3 / 8;

/** Assesses the people of an hour. Null as long as too little is known of the project or link. */
export function assessPeople(track: Track, hour: number): Assessment | null {
  const usual = expectationAt(track, hour);
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

/**
 * Assesses the bots and scanners of an hour by those of the week before and by the usual number of people. Robots have no daily or
 * weekly rhythm.
 */
export function assessRobots(track: Track, hour: number, people: Assessment): Assessment {
  const end = hour - track.fromHour;
  const week = Array.from(track.known.subarray(Math.max(0, end - WEEK_HOURS), end)).filter((count) => count >= 0);
  week.sort((a, b) => a - b);
  const expected = week[week.length >> 1] ?? 0;
  const high = week[Math.floor(week.length * BUSY_SHARE)] ?? 0;
  const actual = countAt(track, hour);
  const score = Math.max(0, countScore(actual, high, ROBOT_SPREAD));
  const usualTraffic = Math.max(people.expected + expected, limits.LEAST_EXPECTED);
  const isFlood = actual - high >= limits.FLOOD_TIMES * usualTraffic && score >= limits.CLEAR_SCORE;
  const isCalm = actual - high < limits.CALM_FLOOD_TIMES * usualTraffic;
  return {
    hour,
    actual,
    expected,
    low: 0,
    high: countAtScore(limits.USUAL_SCORE, high, ROBOT_SPREAD),
    score,
    verdict: isFlood ? 'bot_flood' : null,
    isCalm: { drop: null, spike: null, bot_flood: isCalm },
  };
}

function isSpikeOver(actual: number, above: number, { most }: Expectation): boolean | null {
  const isOver = above < limits.CALM_SCORE || actual <= limits.CALM_SPIKE_TIMES * Math.max(most, limits.LEAST_EXPECTED);
  return isOver && most < limits.LEAST_EXPECTED ? null : isOver;
}

/** Whether no clicks at all would clearly be too few. */
function canDrop({ least, spread, doubt }: Expectation): boolean {
  return least >= limits.LEAST_EXPECTED && countScore(0, least, spread) / doubt <= -limits.CLEAR_SCORE;
}

/** A day may be as quiet as the quietest of the week, like a holiday, unless it became so from one hour to the next. */
function isDrop(track: Track, hour: number, usual: Expectation): boolean {
  if (usual.least < limits.LEAST_EXPECTED || !isBelow(track, hour, usual, usual.least, limits.DROP_SHARE)) return false;
  if (isBelow(track, hour, usual, usual.quiet, limits.QUIET_SHARE)) return true;
  const before = expectationAt(track, hour - 1);
  return isAbrupt(track, hour, usual) || (before !== null && isAbrupt(track, hour - 1, before));
}

function isAbrupt(track: Track, hour: number, usual: Expectation): boolean {
  return isBelow(track, hour, usual, usual.least * shareBefore(track, hour), limits.ABRUPT_SHARE);
}

function isBelow(track: Track, hour: number, { spread, doubt }: Expectation, expected: number, share: number): boolean {
  const actual = countAt(track, hour);
  return actual <= share * expected && countScore(actual, expected, spread) / doubt <= -limits.CLEAR_SCORE;
}

/** The share of the usual traffic that the hours before had, at most 1. */
function shareBefore(track: Track, hour: number): number {
  let [actual, expected] = [0, 0];
  for (const before of BEFORE) {
    actual += countAt(track, hour - before);
    expected += expectationAt(track, hour - before)?.expected ?? 0;
  }
  return expected > 0 ? Math.min(1, actual / expected) : 0;
}

function isSpike(actual: number, above: number, { most }: Expectation): boolean {
  return actual >= limits.SPIKE_TIMES * Math.max(most, limits.LEAST_EXPECTED) && above >= limits.CLEAR_SCORE;
}

/**
 * How many standard deviations a count lies above the expected one (negative: below), where counts vary like independent arrivals
 * and additionally by `spread` (a share): variance = expected + (spread · expected)². Uses the transform that stabilizes this
 * variance (Anscombe 1948), so it holds for small counts too.
 */
export function countScore(count: number, expected: number, spread: number): number {
  return (2 / spread) * (stable(count, spread) - stable(expected, spread));
}

/** The count with that score. */
export function countAtScore(score: number, expected: number, spread: number): number {
  const at = Math.max(0, stable(expected, spread) + (score * spread) / 2);
  return Math.max(0, (Math.sinh(at) / spread) ** 2 - OFFSET);
}

function stable(count: number, spread: number): number {
  return Math.asinh(spread * Math.sqrt(count + OFFSET));
}
