import type { Db } from 'pg-boss';
import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../src/kernel/metrics.ts';
import type { Job } from './Job.ts';
import { type QueueState, readQueues } from './readQueues.ts';

const NAMES = { ended: 'svc_job_runs_total', seconds: 'svc_job_run_seconds' };

/** Counts a job of a queue that has ended in this process; `startedAt` is by `performance.now()`. */
export type CountEnd = (queue: string, result: 'completed' | 'failed', startedAt: number) => void;

/**
 * Shows the queues in /metrics: runs of this process, which the returned function counts, and the waiting, active and dead jobs of
 * the whole store.
 */
export function showJobs(table: readonly Job[], database: Db): CountEnd {
  hideJobs();
  const registers = [registry];
  const ended = new Counter({
    name: NAMES.ended,
    help: 'Jobs that ended in this process, by queue and result. Failed jobs are retried.',
    labelNames: ['queue', 'result'],
    registers,
  });
  const seconds = new Histogram({
    name: NAMES.seconds,
    help: 'How long jobs of this process ran.',
    labelNames: ['queue'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  });
  // All gauges of one scrape share a query.
  let shared: ReturnType<typeof readQueues> | null = null;
  const readShared = () => {
    shared ??= readQueues(table, database).finally(() => setTimeout(() => (shared = null), 100));
    return shared;
  };
  for (const [name, help, read] of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers,
      async collect() {
        const queues = await readShared().catch(() => []);
        this.reset();
        for (const queue of queues) this.set({ queue: queue.queue }, read(queue));
      },
    });
  }
  return (queue, result, startedAt) => {
    ended.inc({ queue, result });
    seconds.observe({ queue }, (performance.now() - startedAt) / 1000);
  };
}

/** Forgets the queues of a product that has ended: another one in this process counts anew. */
export function hideJobs(): void {
  for (const name of [...Object.values(NAMES), ...GAUGES.map(([gauge]) => gauge)]) registry.removeSingleMetric(name);
}

const GAUGES: [name: string, help: string, read: (state: QueueState) => number][] = [
  ['svc_jobs_waiting', 'Jobs in the store that could run now.', ({ waiting }) => waiting],
  ['svc_jobs_later', 'Jobs in the store that are scheduled for later.', ({ later }) => later],
  ['svc_jobs_active', 'Jobs in the store that are running.', ({ active }) => active],
  [
    'svc_jobs_oldest_seconds',
    'How long the oldest job that could run has been waiting.',
    (state) => state.oldestSeconds,
  ],
  ['svc_jobs_dead', 'Dead letters: jobs of the last week whose retries all failed.', ({ dead }) => dead],
];
