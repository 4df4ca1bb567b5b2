import type { PgBoss, Job as StoredJob } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { inSpan } from '../src/kernel/tracing.ts';
import type { Job, JobContext } from './Job.ts';
import type { CountEnd } from './jobMetrics.ts';

/** How often the heartbeats of running jobs are sent. */
const HEARTBEAT_MS = 5000;
/** The limit of jobs in one fetch. */
const FETCH_LIMIT = 100;
/** Jobs that end within this time are completed by one statement. */
const BATCH_MS = 5;
/** The delay before another attempt to write the outcome of jobs, after the job store failed. */
const RETRY_MS = 500;
/** The signal of a job aborts after this part of its expiry. */
const END_AFTER = 0.9;

type Fetched = StoredJob<object>;

interface Running {
  job: Fetched;
  /** Aborts to end the job. */
  ending: AbortController;
  ended: Promise<void>;
}

/**
 * Runs the jobs of one queue in this process. Each job runs independently: a slow one delays no other, while the workers of
 * pg-boss wait for the slowest job of a batch. It fetches only when it is woken: see `pollQueues`.
 */
export class QueueWorker {
  readonly #boss: PgBoss;
  readonly #job: Job;
  readonly #context: JobContext;
  readonly #countEnd: CountEnd;
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Running>();
  readonly #loop: { wake(): void; stop(): Promise<void> };
  readonly #heartbeat: NodeJS.Timeout;
  readonly #listeners = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #wakesAtMs = Number.POSITIVE_INFINITY;
  #completing: { jobs: Fetched[]; done: Promise<void> } | null = null;

  constructor(boss: PgBoss, job: Job, { context, countEnd }: { context: JobContext; countEnd: CountEnd }) {
    this.#boss = boss;
    this.#job = job;
    this.#context = context;
    this.#countEnd = countEnd;
    const { queue } = job;
    this.#loop = startLoop(
      () => this.#fetch(),
      () => 2 ** 31 - 1,
      (error) => log.warn({ err: error, queue }, 'cannot fetch jobs; trying again'),
    );
    this.#heartbeat = setInterval(() => this.#beat().catch(() => {}), HEARTBEAT_MS);
  }

  get queue(): string {
    return this.#job.queue;
  }

  get isRunning(): boolean {
    return this.#running.size > 0;
  }

  /** Fetches now. */
  wake(): void {
    this.#loop.wake();
  }

  /** Fetches after this time. */
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

  /** Stops fetching, and aborts the running jobs. */
  async stopFetching(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopping.abort();
    await this.#loop.stop();
  }

  /** Waits for the running jobs, after `stopFetching`. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
    clearInterval(this.#heartbeat);
  }

  async #fetch(): Promise<void> {
    const free = Math.min(FETCH_LIMIT, this.#job.perProcess - this.#running.size);
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

  /** Sends the heartbeat of running jobs. Aborts them if they were handed to another process because this one hung. */
  async #beat(): Promise<void> {
    const running = [...this.#running.values()];
    if (running.length === 0) return;
    // How many of the jobs this process still holds; missing in the types of pg-boss.
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
      await inSpan(`job ${queue}`, { attributes: { 'svc.job_id': job.id } }, () =>
        run(this.#context, job.data ?? {}, ending.signal),
      );
      this.#countEnd(queue, 'completed', startedAt);
      await this.#complete(job);
    } catch (error) {
      log.warn({ err: error, queue, job: job.id, attempt: job.retryCount + 1 }, 'a job failed');
      this.#countEnd(queue, 'failed', startedAt);
      await this.#writeOutcome(() => this.#boss.fail(queue, [job], error as Error));
    } finally {
      clearTimeout(timer);
      this.#stopping.signal.removeEventListener('abort', end);
    }
  }

  #complete(job: Fetched): Promise<void> {
    if (!this.#completing) {
      const jobs: Fetched[] = [];
      const done = new Promise((resolve) => setTimeout(resolve, BATCH_MS)).then(() => {
        this.#completing = null;
        return this.#writeOutcome(() => this.#boss.complete(this.queue, jobs));
      });
      this.#completing = { jobs, done };
    }
    this.#completing.jobs.push(job);
    return this.#completing.done;
  }

  /** Retries until the job store accepts it. A process that stops gives up, and the heartbeat of the job ends. */
  async #writeOutcome(write: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await write();
        return;
      } catch (error) {
        if (this.#stopping.signal.aborted) return;
        log.warn({ err: error, queue: this.queue }, 'cannot write the outcome of jobs; trying again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }
}
