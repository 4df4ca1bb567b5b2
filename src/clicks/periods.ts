/** Length of the finest rollups: any time zone's days begin on a multiple of it. */
export const QUARTER_MS = 15 * 60_000;
export const DAY_MS = 86_400_000;
