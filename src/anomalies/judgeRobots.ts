import { countAtScore, countScore } from './countScore.ts';
import type { Judgement } from './judgePeople.ts';
import { countAt, type Track } from './Track.ts';
import * as limits from './thresholds.ts';

const WEEK_HOURS = 168;
/** Crawlers come in bursts: what the busiest hours of a week have is usual. */
const BUSY_SHARE = 0.97;
/** So wide is what bots and scanners do within an hour. */
const SPREAD = 0.3;

/**
 * Judges how many bots and scanners came in an hour, beside those of the week before and beside the people who are usual
 * in it. They keep no hours: there is no rhythm to be known.
 */
export function judgeRobots(track: Track, hour: number, people: Judgement): Judgement {
  const end = hour - track.fromHour;
  const week = Array.from(track.known.subarray(Math.max(0, end - WEEK_HOURS), end)).filter((count) => count >= 0);
  week.sort((a, b) => a - b);
  const expected = week[week.length >> 1] ?? 0;
  const high = week[Math.floor(week.length * BUSY_SHARE)] ?? 0;
  const actual = countAt(track, hour);
  const score = Math.max(0, countScore(actual, high, SPREAD));
  const usualTraffic = Math.max(people.expected + expected, limits.LEAST_EXPECTED);
  const isFlood = actual - high >= limits.FLOOD_TIMES * usualTraffic && score >= limits.CLEAR_SCORE;
  const isCalm = actual - high < limits.CALM_FLOOD_TIMES * usualTraffic;
  return {
    hour,
    actual,
    expected,
    low: 0,
    high: countAtScore(limits.USUAL_SCORE, high, SPREAD),
    score,
    verdict: isFlood ? 'bot_flood' : null,
    isCalm: { drop: null, spike: null, bot_flood: isCalm },
  };
}
