import type { Topic } from '../src/kernel/signals.ts';
import type { WebhookWorkers } from '../src/webhooks/worker/WebhookWorkers.ts';

/** A kind of job: a row of the table in `table.ts`. All times in seconds unless a name says otherwise. */
export interface Job<Data = object> {
  /** The name of its queue, as metrics and operators see it. */
  queue: string;
  /** What it does, for operators. */
  about: string;
  /** Does what is due, and ends soon after `signal` aborts: the process stops, or the job has run for long enough. */
  run(context: JobContext, data: Data, signal: AbortSignal): Promise<unknown>;
  /** What makes jobs of this kind; without it, other code does. */
  sweep?: Sweep;
  /** Jobs of this kind that one process works at once. */
  perProcess: number;
  /** Jobs of this kind that wait or run at once, over all processes; 0: one for each key, such as a webhook's id. */
  inAll: number;
  /** Attempts after the first. Then the job is put with the dead letters, and what it was for waits for the next sweep. */
  retryLimit: number;
  /** Before the first of these attempts; it doubles from one to the next, up to RETRY_DELAY_MAX. */
  retryDelay: number;
  /** A job that runs for longer is given to another process. Its signal aborts before that. */
  expireIn: number;
}

/** How what is due is found in the store. A job that got lost is made again by the next sweep. */
export interface Sweep {
  everyMs(): number;
  /** Swept at once when this is announced. */
  wokenBy?: Topic;
  /** Whether something is due: a cheap question, asked all the time. Without it a job is made at each sweep. */
  isDue?(): Promise<boolean>;
  /** Which processes sweep: one for all, or each for itself because it is about the process. */
  by: 'one' | 'each';
  /** Makes the jobs itself, of more than one key. */
  makeJobs?(context: JobContext): Promise<void>;
}

export interface JobContext {
  table: readonly Job[];
  webhooks: WebhookWorkers;
  /** Makes jobs; of those with one key only one waits. Data go with the key. They are fetched when `at` has come. */
  make(queue: string, jobs: readonly { key: string; data: object }[], at?: Date): Promise<void>;
  /** Makes a job of a kind that has `inAll`, unless as many wait or run already. */
  makeOne(job: Job): Promise<void>;
  /** Gives jobs of dead processes to others, and deletes those that are done. */
  supervise(): Promise<void>;
  /** Calls `listener` whenever a job of this queue ended in this process, until the returned function is called. */
  onEnd(queue: string, listener: () => void): () => void;
  /** Whether this process works a job of this queue now. */
  isWorking(queue: string): boolean;
}
