import type { Queue } from 'pg-boss';
import type { Job } from './Job.ts';

/** A job without a heartbeat for this long counts as dead; the minimum of pg-boss is 10. */
export const HEARTBEAT_SECONDS = 15;
/** How often jobs of dead processes are handed to others; until then they count as running. */
export const SUPERVISE_MS = 10_000;
/** After this long another process has taken over the sweep of one that was killed: a heartbeat, and a check every 5 seconds. */
export const TAKEOVER_MS = 30_000;
/** How long completed jobs are kept: they are of no use and take space. */
export const KEPT_SECONDS = 60;

/** The job that creates the others. */
export const SWEEP = 'sweep';

/** The queue of jobs whose retries all failed, for operators. */
export const DEAD_LETTERS = 'deadLetters';
const WEEK_SECONDS = 7 * 86_400;

/** The longest delay between two attempts, in seconds. */
const RETRY_DELAY_MAX = 15;

/** Queues of earlier versions. */
export const FORMER_QUEUES = ['fanOutEvent', 'deliverWebhook', 'runLane'];

/** The queues of these jobs for pg-boss. Dead letters come first, because the others refer to them. */
export function queuesOf(table: readonly Job[]): Queue[] {
  const dead: Queue = { name: DEAD_LETTERS, retentionSeconds: WEEK_SECONDS, deleteAfterSeconds: WEEK_SECONDS };
  return [dead, ...table.map(queueOf)];
}

function queueOf({ queue, inAll, retryLimit, retryDelay, expireIn }: Job): Queue {
  return {
    name: queue,
    // `short`: one of each key waits; `exclusive`: one of each key waits or runs.
    policy: inAll === 0 ? 'short' : 'exclusive',
    retryLimit,
    retryDelay,
    retryBackoff: true,
    retryDelayMax: RETRY_DELAY_MAX,
    expireInSeconds: expireIn,
    heartbeatSeconds: HEARTBEAT_SECONDS,
    deleteAfterSeconds: KEPT_SECONDS,
    retentionSeconds: 2 * WEEK_SECONDS,
    deadLetter: DEAD_LETTERS,
  };
}
