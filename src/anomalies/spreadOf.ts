import { median } from './median.ts';
import type { Track } from './Track.ts';

const WEEK_HOURS = 168;
/** Weeks whose hours are compared with those a week before. */
const WEEKS = 4;
/** Every fifth hour: enough for a median, and in five days each hour of the day is among them. */
const STEP = 5;
/** Hours with fewer say more about chance than about the project. */
const LEAST_COUNT = 5;
const LEAST_PAIRS = 30;
/** Without enough of them: as wide as traffic of projects mostly is, see docs/decisions/0025-anomalies.md. */
const UNKNOWN = 0.3;
/** Nothing is so even that what was never seen could be known to this share. */
export const LEAST_SPREAD = 0.1;
const MOST_SPREAD = 0.8;
/** Of normally distributed numbers the standard deviation is so many times the median of distances (MAD). */
const MAD = 1.4826;

/** How far hours lie from those a week before beyond what chance explains, as a share; robust, so that incidents do not widen it. */
export function spreadOf({ known, fromHour }: Track, hour: number): number {
  const ratios: number[] = [];
  const chances: number[] = [];
  const end = hour - fromHour;
  for (let at = Math.max(WEEK_HOURS, end - WEEKS * WEEK_HOURS); at < end; at += STEP) {
    const [count, before] = [known[at] as number, known[at - WEEK_HOURS] as number];
    if (!(count + before >= 2 * LEAST_COUNT)) continue;
    ratios.push(Math.log((count + 0.5) / (before + 0.5)));
    chances.push(1 / (count + 0.5) + 1 / (before + 0.5));
  }
  if (ratios.length < LEAST_PAIRS) return UNKNOWN;
  const middle = median(ratios);
  const width = MAD * median(ratios.map((ratio) => Math.abs(ratio - middle)));
  // Both hours vary.
  const spread = Math.sqrt(Math.max(0, (width ** 2 - median(chances)) / 2));
  return Math.min(MOST_SPREAD, Math.max(LEAST_SPREAD, spread));
}
