import type { Draws } from './Draws.ts';

/** How much is going on in each hour of the day, from midnight on: most in the evening. */
const HOURS = [1, 0.5, 0.3, 0.2, 0.2, 0.5, 1.5, 3, 4, 4, 4, 4.5, 5, 5, 4.5, 4.5, 5, 6, 7, 8, 9, 9, 7, 3];

/** A moment of so many days, in milliseconds since the first midnight. */
export function momentOf(draws: Draws, days: number): number {
  const hour = draws.whole(0, days) * 24 + draws.placeOf(HOURS) + draws.random();
  return hour * 3_600_000;
}
