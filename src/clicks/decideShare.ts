/** The part of what is left that a process gets. Below so many clicks, it gets one for each person who waits. */
const PARTS = 16;

/** What is known of a link's limit, in clicks of people. */
export interface ShareFacts {
  limit: number;
  /** In the store. */
  counted: number;
  /** Shares of the other processes: not counted yet, or not used yet. */
  others: number;
  /** The share that the process has already. */
  own: number;
  /** People who are waiting for this process to let them through; 0: it gets nothing. */
  needed: number;
}

/**
 * How much a process's share of a click limit grows. Afterwards `counted + others + own` is the limit at most, because a click
 * is either counted or in the share of its process. While much is left, a share lasts for many visitors; the last clicks of a
 * limit are given out one by one, so that none lies idle with one process while another one refuses visitors.
 */
export function decideShare({ limit, counted, others, own, needed }: ShareFacts): number {
  const left = Math.max(0, limit - counted - others - own);
  if (needed === 0) return 0;
  if (left === Number.POSITIVE_INFINITY) return needed;
  return Math.min(left, Math.max(needed, Math.floor(left / PARTS)));
}
