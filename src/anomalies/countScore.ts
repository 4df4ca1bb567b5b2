/**
 * How many standard deviations a count lies above (or below: negative) what is expected, where counts vary as those of
 * single arrivals do and by `spread` (a share) beside that: variance = expected + (spread · expected)². By the transform
 * that makes such a variance the same everywhere (Anscombe 1948), so it holds for small counts too.
 */
export function countScore(count: number, expected: number, spread: number): number {
  return (2 / spread) * (stable(count, spread) - stable(expected, spread));
}

/** The count with that score. */
export function countAtScore(score: number, expected: number, spread: number): number {
  const at = Math.max(0, stable(expected, spread) + (score * spread) / 2);
  return Math.max(0, (Math.sinh(at) / spread) ** 2 - OFFSET);
}

const OFFSET = 3 / 8;

function stable(count: number, spread: number): number {
  return Math.asinh(spread * Math.sqrt(count + OFFSET));
}
