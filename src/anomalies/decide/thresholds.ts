/**
 * What counts as unusual. The numbers were chosen on simulated traffic (`npm run bench -- anomalies`) and tested on traffic with other
 * seeds: see docs/decisions/0025-anomalies.md.
 */

/** Traffic of a project or link before its first assessment: each hour of the week twice, and some days to compare them. */
export const LEARNING_HOURS = 15 * 24;
/** Where fewer clicks are expected in an hour there is no drop, and spikes and floods are measured against this number. */
export const LEAST_EXPECTED = 20;
/** Scores (standard deviations, see countScore) of a single hour that begins an incident, and of each of two in a row. */
export const FAR_SCORE = 4.5;
export const CLEAR_SCORE = 3.1;
/** A drop leaves at most this share of the usual traffic. */
export const DROP_SHARE = 0.5;
/** The same compared with the quietest day of the week, like a holiday; and with the hours just before. */
export const QUIET_SHARE = 0.38;
export const ABRUPT_SHARE = 0.42;
/** A spike has at least this many times the usual traffic. */
export const SPIKE_TIMES = 2;
/** In a flood, the bots and scanners beyond the usual ones are at least this many times all usual traffic. */
export const FLOOD_TIMES = 1.2;
/** A drop that leaves no more than this share of a project's traffic is critical. */
export const NOTHING_SHARE = 0.1;
/** Calm hours in a row after which an incident is over, among those with enough traffic to tell. */
export const CALM_HOURS = { drop: 3, spike: 5, bot_flood: 3 } as const;
/** Hours with too little traffic to tell after which a spike is over. */
export const UNDECIDED_HOURS = 12;
/** Limits within which an hour is calm. */
export const CALM_SCORE = 2.5;
export const CALM_DROP_SHARE = 0.7;
export const CALM_SPIKE_TIMES = 1.6;
export const CALM_FLOOD_TIMES = 0.5;
/** An incident that lasts longer counts as usual. */
export const LONGEST_HOURS = 72;
/** The score that bounds the usual range in alerts. */
export const USUAL_SCORE = 2;
