import { percentile } from '../timings.ts';

export interface SteadyCreates {
  p50: number;
  p99: number;
}

/** Makes links at a steady rate, whether answers come or not. */
export async function steadyCreates(
  create: () => Promise<unknown>,
  { perSecond, seconds }: { perSecond: number; seconds: number },
): Promise<SteadyCreates> {
  const spent: number[] = [];
  const under: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let sent = 0; sent < perSecond * seconds; sent += 1) {
    const waitMs = (sent * 1000) / perSecond - (performance.now() - startedAt);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const beganAt = performance.now();
    under.push(create().then(() => void spent.push(performance.now() - beganAt)));
  }
  await Promise.all(under);
  return { p50: percentile(spent, 0.5), p99: percentile(spent, 0.99) };
}
