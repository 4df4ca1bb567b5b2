import type { Job, PgBoss } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import type { JobData, QueueName } from './queues.ts';

interface PoolOptions<Name extends QueueName> {
  /** Jobs of this process at once. */
  slots: number;
  /** Jobs of one group at once, over all processes. */
  groupConcurrency?: number;
  handle(data: JobData[Name]): Promise<void>;
}

/** How soon a job that is due is seen when nobody tells of it. */
const POLL_MS = 500;
/** How often the jobs in hand show that their process lives. */
const HEARTBEAT_MS = 5000;

/**
 * Works a queue with a fixed number of slots. Each job runs for itself: a slow one takes one slot and holds up nobody,
 * while pg-boss's own workers wait for the slowest of a batch.
 */
export function startPool<Name extends QueueName>(
  boss: PgBoss,
  queue: Name,
  { slots, groupConcurrency, handle }: PoolOptions<Name>,
) {
  const running = new Map<string, Promise<void>>();

  const run = async (job: Job<JobData[Name]>) => {
    try {
      await handle(job.data);
      await boss.complete(queue, job.id);
    } catch (error) {
      log.error({ err: error, queue, job: job.id }, 'a job failed');
      await boss.fail(queue, job.id, error as Error).catch(() => {});
    }
  };
  const fetch = async () => {
    const free = slots - running.size;
    if (free === 0) return;
    const jobs = await boss.fetch<JobData[Name]>(queue, {
      batchSize: free,
      ...(groupConcurrency ? { groupConcurrency } : {}),
    });
    for (const job of jobs) {
      const mine = run(job).finally(() => {
        running.delete(job.id);
        loop.wake();
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
    /** Fetches nothing more and waits for the jobs in hand. */
    async stop() {
      await loop.stop();
      await Promise.allSettled(running.values());
      clearInterval(heartbeat);
    },
  };
}
