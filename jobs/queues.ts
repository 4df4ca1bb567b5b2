import type { Queue } from 'pg-boss';

/** Every queue with its settings. Seconds throughout. */
export const QUEUES = {
  /** Events that get their deliveries: {eventIds}. */
  fanOutEvent: { retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  /**
   * One attempt for each delivery: {deliveryIds}; several only for first attempts of clicks. The deliveries table owns
   * the schedule, so a job that fails is not repeated here: the sweep gives the delivery another one.
   */
  deliverWebhook: { retryLimit: 0, expireInSeconds: 600, deleteAfterSeconds: 3600, retentionSeconds: 14 * 86_400 },
} as const satisfies Record<string, Omit<Queue, 'name'>>;

export type QueueName = keyof typeof QUEUES;

export interface JobData {
  fanOutEvent: { eventIds: string[] };
  deliverWebhook: { deliveryIds: string[] };
}
