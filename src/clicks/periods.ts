import { DAY_MS } from '../kernel/durations.ts';

/** Length of the finest rollups: in every time zone of today days begin on a multiple of it. */
export const QUARTER_MS = 15 * 60_000;
export const QUARTERS_A_DAY = DAY_MS / QUARTER_MS;
