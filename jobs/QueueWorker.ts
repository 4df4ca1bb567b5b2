import type { PgBoss, Job as StoredJob } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import type { Job, JobContext } from './Job.ts';
import { countEnd } from './jobMetrics.ts';

/** How often the jobs in hand show that their process lives. */
const HEARTBEAT_MS = 5000;
/** Jobs fetched at once. */
const FETCH = 100;
/** Jobs that end within this time are completed by one statement. */
const GATHER_MS = 5;
/** Pause before the outcome of jobs is written again, when the job store was away. */
const AGAIN_MS = 500;
/** A job ends by itself after this part of the time after which it is given to another process. */
const END_AFTER = 0.9;

type Fetched = StoredJob<object>;

interface Running {
  job: Fetched;
  /** Tells the job to end. */
  ending: AbortController;
  ended: Promise<void>;
}

/**
 * Works one queue in this process. Each job runs for itself: a slow one takes one place and holds up no other, while
 * pg-boss's own workers wait for the slowest of a batch. It fetches when it is woken and not by itself: see `watchQueues`.
 */
export class QueueWorker {
  readonly #boss: PgBoss;
  readonly #job: Job;
  readonly #context: JobContext;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();
  readonly #loop: { wake(): void; stop(): Promise<void> };
  readonly #heartbeat: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;
  #completing: { jobs: Fetched[]; done: Promise<void> } | null = null;

  constructor(boss: PgBoss, job: Job, context: JobContext) {
    this.#boss = boss;
    this.#job = job;
    this.#context = context;
    const { queue } = job;
    this.#loop = startLoop(
      () => this.#fetch(),
      () => 2 ** 31 - 1,
      (error) => log.warn({ err: error, queue }, 'jobs could not be fetched; it will be tried again'),
    );
    this.#heartbeat = setInterval(() => this.#beat().catch(() => {}), HEARTBEAT_MS);
  }

  get queue(): string {
    return this.#job.queue;
  }

  get isWorking(): boolean {
    return this.#running.size > 0;
  }

  /** Something waits in the queue. */
  wake(): void {
    this.#loop.wake();
  }

  /** Something waits in the queue from then on. */
  wakeIn(milliseconds: number): void {
    const atMs = performance.now() + milliseconds;
    if (atMs >= this.#wakesAtMs) return;
    clearTimeout(this.#timer);
    this.#wakesAtMs = atMs;
    this.#timer = setTimeout(
      () => {
        this.#wakesAtMs = Number.POSITIVE_INFINITY;
        this.wake();
      },
      Math.max(1, milliseconds),
    );
  }

  onEnd(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Fetches nothing more, and tells the jobs in hand to end. */
  async stopFetching(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#loop.stop();
  }

  /** Waits for the jobs in hand, after `stopFetching`. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
    clearInterval(this.#heartbeat);
  }

  async #fetch(): Promise<void> {
    const free = Math.min(FETCH, this.#job.perProcess - this.#running.size);
    if (free <= 0 || this.#stopping.signal.aborted) return;
    const jobs = await this.#boss.fetch<object>(this.queue, { batchSize: free });
    for (const job of jobs) this.#start(job);
    if (jobs.length === free) this.wake();
  }

  #start(job: Fetched): void {
    const ending = new AbortController();
    const ended = this.#run(job, ending).finally(() => {
      this.#running.delete(job.id);
      if (this.#running.size === this.#job.perProcess - 1) this.wake();
      for (const listener of this.#listeners) listener();
    });
    this.#running.set(job.id, { job, ending, ended });
  }

  /** Shows that the process lives. A job that was given to another process meanwhile, because this one hung, is told to end. */
  async #beat(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    // Not in the types of pg-boss: how many of the jobs this process still holds.
    const { affected } = (await this.#boss.touch(
      this.queue,
      running.map(({ job }) => job),
    )) as { affected?: number };
    if (affected === 0) for (const { ending } of running) ending.abort();
  }

  async #run(job: Fetched, ending: AbortController): Promise<void> {
    const { queue, run, expireIn } = this.#job;
    const startedAt = performance.now();
    const timer = setTimeout(() => ending.abort(), expireIn * END_AFTER * 1000);
    const end = () => ending.abort();
    this.#stopping.signal.addEventListener('abort', end);
    if (this.#stopping.signal.aborted) end();
    try {
      await run(this.#context, job.data ?? {}, ending.signal);
      countEnd(queue, 'completed', startedAt);
      await this.#complete(job);
    } catch (error) {
      log.warn({ err: error, queue, job: job.id, attempt: job.retryCount + 1 }, 'a job failed');
      countEnd(queue, 'failed', startedAt);
      await this.#written(() => this.#boss.fail(queue, [job], error as Error));
    } finally {
      clearTimeout(timer);
      this.#stopping.signal.removeEventListener('abort', end);
    }
  }

  #complete(job: Fetched): Promise<void> {
    if (!this.#completing) {
      const jobs: Fetched[] = [];
      const done = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
        this.#completing = null;
        return this.#written(() => this.#boss.complete(this.queue, jobs));
      });
      this.#completing = { jobs, done };
    }
    this.#completing.jobs.push(job);
    return this.#completing.done;
  }

  /** Until the job store has taken it. A process that stops leaves the job to the end of its heartbeat. */
  async #written(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        log.warn({ err: error, queue: this.queue }, 'the outcome of jobs could not be written; it will be tried again');
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
  }
}
