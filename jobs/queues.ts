import type { Queue } from 'pg-boss';

/** A job whose process has not been heard of for this long is taken for dead; the shortest that pg-boss allows is 10. */
const HEARTBEAT_SECONDS = 15;

/** Every queue with its settings. Seconds throughout. */
export const QUEUES = {
  /**
   * The lane of a webhook that has something to send: {webhookId}. Of jobs with one singleton key one waits at a time;
   * what is due, and who may send it, the store says.
   */
  runLane: {
    policy: 'short',
    retryLimit: 10,
    retryDelay: 5,
    expireInSeconds: 3600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 60,
    retentionSeconds: 14 * 86_400,
  },
} as const satisfies Record<string, Omit<Queue, 'name'>>;

/** Queues of earlier versions. */
export const FORMER_QUEUES = ['fanOutEvent', 'deliverWebhook'];

export type QueueName = keyof typeof QUEUES;

export interface JobData {
  runLane: { webhookId: string };
}
