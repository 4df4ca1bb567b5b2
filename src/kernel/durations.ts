export const DAY_MS = 86_400_000;

/** The UTC day that a moment lies in, since the epoch. */
export function dayOf(epochMs: number): number {
  return Math.floor(epochMs / DAY_MS);
}
