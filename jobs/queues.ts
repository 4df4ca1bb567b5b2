import type { Queue } from 'pg-boss';

/** A job whose process has not been heard of for this long is taken for dead; the shortest that pg-boss allows is 10. */
const HEARTBEAT_SECONDS = 15;

/** Every queue with its settings. Seconds throughout. */
export const QUEUES = {
  /** Events that get their deliveries: {eventIds}. */
  fanOutEvent: {
    retryLimit: 5,
    retryDelay: 5,
    retryBackoff: true,
    expireInSeconds: 120,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
  },
  /**
   * One attempt for each delivery: {deliveryIds}; several only for first attempts of clicks. The deliveries table owns
   * the schedule, so a job that fails is not repeated here: the sweep gives the delivery another one.
   */
  deliverWebhook: {
    retryLimit: 0,
    expireInSeconds: 600,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: 3600,
    retentionSeconds: 14 * 86_400,
  },
} as const satisfies Record<string, Omit<Queue, 'name'>>;

export type QueueName = keyof typeof QUEUES;

export interface JobData {
  fanOutEvent: { eventIds: string[] };
  deliverWebhook: { deliveryIds: string[] };
}
