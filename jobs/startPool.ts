import type { Job, PgBoss } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import type { JobData, QueueName } from './queues.ts';

interface PoolOptions<Name extends QueueName> {
  /** Jobs of this process at once. */
  slots: number;
  handle(data: JobData[Name]): Promise<void>;
}

/** How soon a job that is due is seen when nobody tells of it. */
const POLL_MS = 500;
/** How often the jobs in hand show that their process lives. */
const HEARTBEAT_MS = 5000;
/** Jobs fetched at once. */
const FETCH = 100;
/** Time in which ended jobs are gathered. */
const GATHER_MS = 5;

/**
 * Works a queue with a fixed number of slots. Each job runs for itself: a slow one takes one slot and holds up nobody,
 * while pg-boss's own workers wait for the slowest of a batch.
 */
export function startPool<Name extends QueueName>(boss: PgBoss, queue: Name, { slots, handle }: PoolOptions<Name>) {
  const running = new Map<string, Promise<void>>();
  const completion = completeTogether(boss, queue);

  const run = async (job: Job<JobData[Name]>) => {
    try {
      await handle(job.data);
      await completion.complete(job.id);
    } catch (error) {
      log.error({ err: error, queue, job: job.id }, 'a job failed');
      await boss.fail(queue, job.id, error as Error).catch(() => {});
    }
  };
  const fetch = async () => {
    const free = Math.min(FETCH, slots - running.size);
    if (free <= 0) return;
    const jobs = await boss.fetch<JobData[Name]>(queue, { batchSize: free });
    for (const job of jobs) {
      const mine = run(job).finally(() => {
        running.delete(job.id);
        if (running.size === slots - 1) loop.wake();
      });
      running.set(job.id, mine);
    }
    if (jobs.length === free) loop.wake();
  };
  const heartbeat = setInterval(() => {
    if (running.size > 0) boss.touch(queue, [...running.keys()]).catch(() => {});
  }, HEARTBEAT_MS);
  const loop = startLoop(
    fetch,
    () => POLL_MS,
    (error) => log.warn({ err: error, queue }, 'jobs could not be fetched'),
  );
  return {
    wake: loop.wake,
    /** Fetches nothing more and waits for the jobs in hand; `end` is called when none comes any more. */
    async stop(end: () => Promise<void>) {
      await loop.stop();
      await end();
      await Promise.allSettled(running.values());
      clearInterval(heartbeat);
    },
  };
}

/** Jobs that end at the same time are completed by one statement. */
function completeTogether(boss: PgBoss, queue: QueueName) {
  let gathered: { ids: string[]; done: Promise<unknown> } | null = null;
  return {
    complete(id: string): Promise<unknown> {
      if (!gathered) {
        const ids: string[] = [];
        const done = new Promise((resolve) => setTimeout(resolve, GATHER_MS)).then(() => {
          gathered = null;
          return boss.complete(queue, ids);
        });
        gathered = { ids, done };
      }
      gathered.ids.push(id);
      return gathered.done;
    },
  };
}
