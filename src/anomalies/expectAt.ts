import { levelRatios } from './levelRatios.ts';
import { median } from './median.ts';
import { spreadOf } from './spreadOf.ts';
import type { Track } from './Track.ts';

const DAY_HOURS = 24;
const WEEK_HOURS = 168;
/** Weeks that are looked back: two months, in which the rhythm of a week hardly changes. */
export const WEEKS = 8;
/** So many of them must be known; one could be any week. */
const LEAST_WEEKS = 2;
/** The median of n numbers varies by so much more than their mean (pi / 2). */
const MEDIAN_LOSS = 1.57;

/** How far towards the hours beside it an hour may be moved: clocks change, and people are early or late. */
const SHIFT = 0.5;

/** What is usual in an hour. */
export interface Expectation {
  expected: number;
  /** The same if the day were a little early or late, or if a change of level were not there: the lowest and the highest. */
  least: number;
  most: number;
  /** That hour on the quietest day of the week. */
  quiet: number;
  /** For `countScore`. */
  spread: number;
  /** What is expected is itself known only so well: scores are divided by this. */
  doubt: number;
}

/**
 * What is usual in an hour, judged by the same hour of the week in the weeks before, each raised to the level of today;
 * the median of them. Null as long as too little is known.
 */
export function expectAt(track: Track, hour: number): Expectation | null {
  const { fromHour, known, changedHour } = track;
  const at = hour - fromHour;
  const isChanged = changedHour !== null && changedHour < hour;
  const ratios = levelRatios(track, hour, WEEKS, isChanged ? changedHour : null);
  const usual = (offset: number, levels: readonly number[]) => {
    const values: number[] = [];
    for (let week = 1; week <= WEEKS; week += 1) {
      const value = (known[at - WEEK_HOURS * week + offset] as number) * (levels[week - 1] as number);
      if (value >= 0) values.push(value);
    }
    return { value: median(values), weeks: values.length };
  };
  const { value: expected, weeks } = usual(0, ratios);
  if (weeks < LEAST_WEEKS) return null;
  const shifted = (offset: number) => expected ** (1 - SHIFT) * usual(offset, ratios).value ** SHIFT;
  const around = [expected, shifted(-1), shifted(1)];
  if (isChanged) around.push(usual(0, levelRatios(track, changedHour, WEEKS, null)).value);
  const near = around.filter((value) => value >= 0);
  const days = [1, 2, 3, 4, 5, 6].map((day) => usual(DAY_HOURS * day, ratios).value).filter((value) => value >= 0);
  return {
    expected,
    least: Math.min(...near),
    most: Math.max(...near),
    quiet: Math.min(expected, ...days),
    spread: spreadOf(track, hour),
    doubt: Math.sqrt(1 + MEDIAN_LOSS / weeks),
  };
}
