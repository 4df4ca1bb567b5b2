import type { Factor } from './report.ts';

/** A piece of the bar, from and to in per cent of its width. */
export interface Piece extends Factor {
  left: number;
  width: number;
}

export interface ScoreBar {
  /** What spoke for the click, one after another from zero. */
  gained: Piece[];
  /** What spoke against it, from there back to the score. */
  lost: Piece[];
  /** Where the threshold is, in per cent. */
  threshold: number;
  /** Where the score is, in per cent. */
  score: number;
}

/** Leaves room to the right of a threshold that no bar reaches. */
const ROOM = 1.1;

/** Where the pieces of a score are drawn: points gained to the right, and below them points lost to the left. */
export function scoreBar(factors: readonly Factor[], threshold: number): ScoreBar {
  const sum = (some: readonly Factor[]) => some.reduce((total, { points }) => total + points, 0);
  const gains = factors.filter(({ points }) => points > 0);
  const losses = factors.filter(({ points }) => points < 0);
  const top = sum(gains);
  const score = top + sum(losses);
  const least = Math.min(0, score);
  const most = Math.max(top, threshold * ROOM);
  const at = (points: number) => (100 * (points - least)) / (most - least);
  let reached = 0;
  const pieces = (some: readonly Factor[]) =>
    some.map((factor): Piece => {
      const from = reached;
      reached += factor.points;
      const left = at(Math.min(from, reached));
      return { ...factor, left, width: at(Math.max(from, reached)) - left };
    });
  return { gained: pieces(gains), lost: pieces(losses), threshold: at(threshold), score: at(score) };
}
