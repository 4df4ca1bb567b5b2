/**
 * The queue in which a webhook delivery waits for its next attempt. Smaller numbers go first.
 *
 * - `byHand`: a test or a resend, for which a person waits. Sent whatever the state of the webhook.
 * - `automatic`: a scheduled attempt. Held while the circuit is open or the webhook is disabled.
 * - `replay`: part of a replayed range. Held in the same way, and sent after everything new.
 */
export const QUEUE = { byHand: 0, automatic: 1, replay: 2 } as const;

export type Queue = (typeof QUEUE)[keyof typeof QUEUE];
