/**
 * What counts as out of the ordinary. The numbers were chosen on simulated traffic (`npm run bench -- anomalies`, seeds of
 * its own for that) and judged on other seeds: see docs/decisions/0025-anomalies.md.
 */

/** Nothing is judged before a project or link has had traffic for so long: two of each hour of the week, and some days to compare them. */
export const LEARNING_HOURS = 15 * 24;
/** Where fewer are expected in an hour, none at all is no drop; a spike or flood is measured by at least these. */
export const LEAST_EXPECTED = 20;
/** Scores (standard deviations, see countScore) of an hour that is enough by itself, and of each of two in a row. */
export const FAR_SCORE = 4.5;
export const CLEAR_SCORE = 3.1;
/** A drop leaves at most this share of what is usual, a spike brings at least so many times as much. */
export const DROP_SHARE = 0.5;
/** The same beside the quietest day of the week, which a holiday may be like; and beside the hours just before. */
export const QUIET_SHARE = 0.38;
export const ABRUPT_SHARE = 0.42;
export const SPIKE_TIMES = 2;
/** Bots and scanners beyond the usual ones are at least so many times all usual traffic. */
export const FLOOD_TIMES = 1.2;
/** A drop that leaves no more than this share of a project's traffic is critical. */
export const NOTHING_SHARE = 0.1;
/** Within these an incident is over: so many hours in a row, of those that have enough traffic to tell. */
export const CALM_HOURS = { drop: 3, spike: 5, bot_flood: 3 } as const;
/** Without a single hour that has enough traffic to tell, a spike is over after so many. */
export const UNTOLD_HOURS = 12;
export const CALM_SCORE = 2.5;
export const CALM_DROP_SHARE = 0.7;
export const CALM_SPIKE_TIMES = 1.6;
export const CALM_FLOOD_TIMES = 0.5;
/** What lasts longer is usual from then on. */
export const LONGEST_HOURS = 72;
/** What people are shown as the usual range. */
export const USUAL_SCORE = 2;
