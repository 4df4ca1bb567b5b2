import type { Click } from './click.ts';
import { isBadData } from './isBadData.ts';
import { storeClicks } from './store.ts';

/** Runs `store` and knows what it stores, which may be what it makes of the clicks; throws what it throws. */
export type Storing = (
  clicks: readonly Click[],
  store: (clicks: readonly Click[]) => Promise<number>,
) => Promise<unknown>;

/**
 * Stores clicks; one that cannot be stored must not hold up the others, so a chunk that fails for its data is halved
 * until the culprit stands alone and goes to `reject`. Throws what is not the fault of the clicks.
 */
export async function storeOrReject(
  clicks: Click[],
  options: Parameters<typeof storeClicks>[1] & { storing: Storing },
  reject: (click: Click, error: unknown) => Promise<void>,
): Promise<void> {
  try {
    await options.storing(clicks, (given) => storeClicks(given, options));
  } catch (error) {
    const [first, ...others] = clicks;
    if (first === undefined || !isBadData(error)) throw error;
    if (others.length === 0) return reject(first, error);
    const middle = Math.ceil(clicks.length / 2);
    await storeOrReject(clicks.slice(0, middle), options, reject);
    await storeOrReject(clicks.slice(middle), options, reject);
  }
}
