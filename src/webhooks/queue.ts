/**
 * Where a delivery of a webhook waits for its next attempt; a smaller number goes first.
 *
 * - `byHand`: a test, or a resend that somebody waits for. Goes out whatever the state of the webhook.
 * - `automatic`: an attempt of the schedule. Held while the circuit is open or the webhook is disabled.
 * - `replay`: a repeat of a range. Held likewise, and behind everything that is new.
 */
export const QUEUE = { byHand: 0, automatic: 1, replay: 2 } as const;

export type Queue = (typeof QUEUE)[keyof typeof QUEUE];
