import type { Queue } from 'pg-boss';
import type { Job } from './Job.ts';

/** A job whose process has not been heard of for this long is taken for dead; the shortest that pg-boss allows is 10. */
export const HEARTBEAT_SECONDS = 15;
/** How often jobs of dead processes are looked for: until then they count as worked. */
export const SUPERVISE_MS = 10_000;
/** After this long another process has taken the sweep over from one that was killed: its heartbeat, and a look every 5 seconds. */
export const TAKEOVER_MS = 30_000;
/** Jobs that are done are of no use, and each costs room. */
export const KEPT_SECONDS = 60;

/** The job that makes the others. */
export const SWEEP = 'sweep';

/** Where jobs end that failed again and again, for operators to see. */
export const DEAD_LETTERS = 'deadLetters';
const WEEK_SECONDS = 7 * 86_400;

/** The longest pause between two attempts, in seconds. */
const RETRY_DELAY_MAX = 15;

/** Queues of earlier versions. */
export const FORMER_QUEUES = ['fanOutEvent', 'deliverWebhook', 'runLane'];

/** The queues of these jobs, as pg-boss takes them; the dead letters first, since the others name them. */
export function queuesOf(table: readonly Job[]): Queue[] {
  const dead: Queue = { name: DEAD_LETTERS, retentionSeconds: WEEK_SECONDS, deleteAfterSeconds: WEEK_SECONDS };
  return [dead, ...table.map(queueOf)];
}

function queueOf({ queue, inAll, retryLimit, retryDelay, expireIn }: Job): Queue {
  return {
    name: queue,
    // `short`: one of each key waits; `exclusive`: one of each key waits or is worked.
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
