import type { Db } from 'pg-boss';
import { Counter, Gauge, Histogram } from 'prom-client';
import { registry } from '../src/kernel/metrics.ts';
import type { Job } from './Job.ts';
import { type QueueState, readQueues } from './readQueues.ts';

const NAMES = { ended: 'svc_job_runs_total', seconds: 'svc_job_run_seconds' };

let ended: Counter<'queue' | 'result'> | null = null;
let seconds: Histogram<'queue'> | null = null;

/** A job of this queue has ended in this process; `startedAt` by `performance.now()`. */
export function countEnd(queue: string, result: 'completed' | 'failed', startedAt: number): void {
  ended?.inc({ queue, result });
  seconds?.observe({ queue }, (performance.now() - startedAt) / 1000);
}

/** Shows the queues in /metrics: runs of this process; what waits, works and has died in the whole store. */
export function showJobs(table: readonly Job[], database: Db): void {
  for (const name of [...Object.values(NAMES), ...GAUGES.map(([gauge]) => gauge)]) registry.removeSingleMetric(name);
  const registers = [registry];
  ended = new Counter({
    name: NAMES.ended,
    help: 'Jobs that ended in this process, by queue and result; one that failed is tried again.',
    labelNames: ['queue', 'result'],
    registers,
  });
  seconds = new Histogram({
    name: NAMES.seconds,
    help: 'How long jobs of this process ran.',
    labelNames: ['queue'],
    buckets: [0.01, 0.1, 1, 10, 60, 600],
    registers,
  });
  // All gauges of one look at /metrics share a query.
  let asked: ReturnType<typeof readQueues> | null = null;
  const ask = () => {
    asked ??= readQueues(table, database).finally(() => setTimeout(() => (asked = null), 100));
    return asked;
  };
  for (const [name, help, read] of GAUGES) {
    new Gauge({
      name,
      help,
      labelNames: ['queue'],
      registers,
      async collect() {
        const queues = await ask().catch(() => []);
        this.reset();
        for (const queue of queues) this.set({ queue: queue.queue }, read(queue));
      },
    });
  }
}

const GAUGES: [name: string, help: string, read: (state: QueueState) => number][] = [
  ['svc_jobs_waiting', 'Jobs that could be worked now, in the store.', ({ waiting }) => waiting],
  ['svc_jobs_later', 'Jobs for a later time, in the store.', ({ later }) => later],
  ['svc_jobs_active', 'Jobs that are worked, in the store.', ({ active }) => active],
  [
    'svc_jobs_oldest_seconds',
    'For how long the oldest job that could be worked waits.',
    (state) => state.oldestSeconds,
  ],
  ['svc_jobs_dead', 'Jobs that failed again and again, of the last week.', ({ dead }) => dead],
];
