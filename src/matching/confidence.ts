/**
 * From which score on so many in a hundred guesses were right, on simulated fleets that the table below was fitted on
 * (seeds 1001 to 1040; `npm run bench -- fleet` prints it anew, and how it holds on others).
 */
export const CONFIDENCE: readonly (readonly [score: number, confidence: number])[] = [
  [70, 95],
  [80, 96],
  [85, 98],
  [115, 99],
];

/** A guess is never surer. */
export const MOST_CONFIDENT = 99;

/** Of guesses that say n, n in a hundred are right: see docs/matching.md for how well that held on other fleets. */
export function confidenceOf(score: number): number {
  return CONFIDENCE.findLast(([from]) => score >= from)?.[1] ?? 0;
}
