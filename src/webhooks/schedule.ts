/** Each gap is up to a tenth shorter or longer, so that what failed together does not come back together. */
const JITTER = 0.1;

/** 2 h: a receiver may ask for a longer pause, but not put a delivery off for days. */
const MAX_RETRY_AFTER_SECONDS = 7200;

export interface GapOptions {
  /** What the receiver asked for; it can only lengthen the gap. */
  retryAfterSeconds: number | null;
  /** From 0 to below 1, as `Math.random`. */
  random: () => number;
}

/**
 * Seconds until the next attempt after `automaticAttemptsMade` failed ones, or null when there is none: a delivery has
 * one attempt more than there are gaps. The gaps are in seconds and not bounded here.
 */
export function nextGapSeconds(
  automaticAttemptsMade: number,
  gaps: readonly number[],
  { retryAfterSeconds, random }: GapOptions,
): number | null {
  const gap = gaps[automaticAttemptsMade - 1];
  if (gap === undefined) return null;
  const asked = Math.min(retryAfterSeconds ?? 0, MAX_RETRY_AFTER_SECONDS);
  return Math.max(jittered(gap, random), asked);
}

/** The gap, up to a tenth shorter or longer. */
export function jittered(gapSeconds: number, random: () => number): number {
  return gapSeconds * (1 - JITTER + 2 * JITTER * random());
}

/**
 * Seconds in a `Retry-After` header, given as such or as an HTTP date (0 when it is past). Null for every status but 429
 * and 503, and for what is neither.
 */
export function retryAfterSeconds(
  headerValue: string | null | undefined,
  statusCode: number,
  nowMs: number,
): number | null {
  if (!headerValue || (statusCode !== 429 && statusCode !== 503)) return null;
  const value = headerValue.trim();
  if (/^\d{1,9}$/.test(value)) return Number(value);
  if (!/^[A-Z][a-z]{2,8},? /.test(value)) return null;
  // The oldest of the three date forms has no zone and means GMT, where Date.parse would take the local one.
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - nowMs) / 1000));
}
