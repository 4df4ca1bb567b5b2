import type { Topic } from '../src/kernel/signals.ts';
import type { WebhookWorkers } from '../src/webhooks/worker/WebhookWorkers.ts';

/** A kind of job: a row of the table in `table.ts`. All times in seconds unless a name says otherwise. */
export interface Job<Data = object> {
  /** The name of its queue, as metrics and operators see it. */
  queue: string;
  /** What it does, for operators. */
  about: string;
  /** Does what is due. Returns soon after `signal` aborts because the process stops or the job has run for long enough. */
  run(context: JobContext, data: Data, signal: AbortSignal): Promise<unknown>;
  /** How jobs of this kind are created; without it, other code creates them. */
  sweep?: Sweep;
  /** The limit of jobs of this kind that run at once in one process. */
  perProcess: number;
  /** The limit of jobs of this kind that wait or run at once in all processes; 0: one for each key, such as a webhook's id. */
  inAll: number;
  /** Attempts after the first. After the last one the job becomes a dead letter, and its work waits for the next sweep. */
  retryLimit: number;
  /** The delay before the first retry; it doubles from one retry to the next, up to RETRY_DELAY_MAX. */
  retryDelay: number;
  /** A job that runs for longer is handed to another process. Its signal aborts before that. */
  expireIn: number;
}

/** How due work is found in the store. The next sweep recreates a job that was lost. */
export interface Sweep {
  everyMs(): number;
  /** The sweep runs at once when this topic is announced. */
  wokenBy?: Topic;
  /** Whether something is due: a cheap query, because it runs often. Without it each sweep creates a job. */
  isDue?(): Promise<boolean>;
  /** Which processes sweep: one for all, or each for itself because the work depends on the process. */
  by: 'one' | 'each';
  /** Creates the jobs, where there are more keys than one. */
  createJobs?(context: JobContext): Promise<void>;
}

export interface JobContext {
  table: readonly Job[];
  webhooks: WebhookWorkers;
  /** Creates jobs that run from `at` on, or now. Only one job of each key waits; its data follow from the key. */
  create(queue: string, jobs: readonly { key: string; data: object }[], at?: Date): Promise<void>;
  /** Creates a job, unless its limit `inAll` is reached. */
  createOne(job: Job): Promise<void>;
  /** Hands jobs of dead processes to others, and deletes completed jobs. */
  supervise(): Promise<void>;
  /** Calls `listener` whenever a job of this queue ended in this process, until the returned function is called. */
  onEnd(queue: string, listener: () => void): () => void;
  /** Whether a job of this queue is running in this process. */
  isRunning(queue: string): boolean;
}
