/** Milliseconds of one thing done several times. */
export interface Timings {
  /** The first time. */
  cold: number;
  p50: number;
  p95: number;
}

/** Longer than this no thing is repeated, however many rounds are left. */
const LONGEST_MS = 15_000;
const FEWEST = 3;
const BEST_OF = 5;

/** Does it once cold and then `rounds` times, or until it has taken long enough; gives what came last, too. */
export async function timeRounds<Answer>(
  rounds: number,
  work: () => Promise<Answer>,
): Promise<Timings & { answer: Answer }> {
  let startedAt = performance.now();
  let answer = await work();
  const cold = performance.now() - startedAt;
  const spent: number[] = [];
  for (let sum = 0; spent.length < rounds && (spent.length < FEWEST || sum < LONGEST_MS); sum += spent.at(-1) ?? 0) {
    startedAt = performance.now();
    answer = await work();
    spent.push(performance.now() - startedAt);
  }
  return { cold, p50: percentile(spent, 0.5), p95: percentile(spent, 0.95), answer };
}

/** The best of five, in milliseconds. */
export async function best(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < BEST_OF; run += 1) {
    const startedAt = performance.now();
    await work();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Few digits: 0.84, 8.4, 84, 8400. */
export function short(ms: number): string {
  return ms < 1 ? ms.toFixed(2) : ms < 10 ? ms.toFixed(1) : ms.toFixed(0);
}
