/** What became of the installs of a class. */
export interface Tally {
  installs: number;
  /** A click led there, and they were opened within the window. */
  led: number;
  matched: number;
  /** With the link that led there. */
  right: number;
  /** Those of them that were to be found. */
  found: number;
  /** With the very click. */
  rightClick: number;
}

export const EMPTY: Tally = { installs: 0, led: 0, matched: 0, right: 0, found: 0, rightClick: 0 };

export function sumOf(tallies: Iterable<Tally>): Tally {
  const sum = { ...EMPTY };
  for (const tally of tallies) for (const name of Object.keys(sum) as (keyof Tally)[]) sum[name] += tally[name];
  return sum;
}

/** The right ones of what was answered as matched. */
export function precisionOf({ right, matched }: Tally): number {
  return right / matched;
}

/** The right ones of what was to be found. */
export function recallOf({ found, led }: Tally): number {
  return found / led;
}

/** 95 % interval of a share, after Wilson. */
export function wilson(right: number, all: number): [low: number, high: number] {
  if (all === 0) return [0, 1];
  const z = 1.959964;
  const share = right / all;
  const middle = share + z ** 2 / (2 * all);
  const reach = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  const whole = 1 + z ** 2 / all;
  return [Math.max(0, (middle - reach) / whole), Math.min(1, (middle + reach) / whole)];
}
