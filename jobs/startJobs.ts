import type { PgBoss } from 'pg-boss';
import { freeImports } from '../src/imports/importClaims.ts';
import { clock } from '../src/kernel/clock.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { showGauge } from '../src/kernel/metrics.ts';
import { warnOfPlainMail } from '../src/mail/smtpPool.ts';
import { createSender } from '../src/webhooks/send.ts';
import { WebhookWorkers } from '../src/webhooks/worker/WebhookWorkers.ts';
import { freeWebhooksOfDeadProcess } from '../src/webhooks/worker/webhookLeases.ts';
import { startBoss } from './boss.ts';
import type { Job, JobContext } from './Job.ts';
import { hideJobs, showJobs } from './jobMetrics.ts';
import { QueueWorker } from './QueueWorker.ts';
import { HEARTBEAT_SECONDS, SWEEP, TAKEOVER_MS } from './queues.ts';
import { startFanOut } from './readOutbox.ts';
import type { Statements } from './readQueues.ts';
import { wakeWebhooks } from './sendWebhooks.ts';
import { sweepAtStart, sweepOwn } from './sweepStore.ts';
import { JOBS } from './table.ts';

/** How often the queues are polled for jobs of other processes, and for a process that sweeps. */
const POLL_MS = 5000;

export interface RunningJobs {
  /** Reads the job store. */
  store: Statements;
  /** Waits for the jobs that are running. */
  stop(): Promise<void>;
}

/** Starts all background work; for `takeoverMs` this process sweeps even if another one does. */
export async function startJobs(
  config: Config,
  table: readonly Job[] = JOBS,
  takeoverMs = TAKEOVER_MS,
): Promise<RunningJobs> {
  if (!config.databaseUrl) {
    await freeImports();
    await freeWebhooksOfDeadProcess();
  }
  const { boss, stop } = await startBoss(config, table);
  warnOfPlainMail();
  const sender = createSender({
    timeoutMs: () => config.webhookTimeoutSeconds * 1000,
    allowPrivate: () => config.allowPrivateTargets,
  });
  const webhooks = new WebhookWorkers(sender, config.webhookMaxInFlight);
  showGauge('svc_webhook_workers', 'Webhooks that this process is sending to.', () => webhooks.size);
  showGauge(
    'svc_webhook_requests_in_flight',
    'Requests to webhooks that have not been answered yet.',
    () => webhooks.inFlight,
  );
  const countEnd = showJobs(table, boss.getDb());
  const queues = new Map<string, QueueWorker>();
  const context = contextOf(boss, config, { table, webhooks, queues });
  for (const job of table) queues.set(job.queue, new QueueWorker(boss, job, { context, countEnd }));
  const stopping = new AbortController();
  const sweeping = Promise.all([
    sweepOwn(context, stopping.signal),
    // On the embedded store there is no other process; it deletes the jobs of a killed one when it starts.
    config.databaseUrl ? sweepAtStart(context, takeoverMs, stopping.signal) : null,
  ]);
  const fanOut = startFanOut();
  const waking = wakeWebhooks(context);
  const polling = pollQueues(boss, queues, context);
  return {
    store: boss.getDb(),
    async stop() {
      stopping.abort();
      waking.stop();
      await Promise.all([sweeping, fanOut.stop(), polling.stop()]);
      const workers = [...queues.values()];
      await Promise.all(workers.map((worker) => worker.stopFetching()));
      await webhooks.stop();
      await Promise.all(workers.map((worker) => worker.ended()));
      await sender.close();
      await stop();
      hideJobs();
    },
  };
}

interface Parts {
  table: readonly Job[];
  webhooks: WebhookWorkers;
  queues: Map<string, QueueWorker>;
}

function contextOf(boss: PgBoss, config: Config, { table, webhooks, queues }: Parts): JobContext {
  return {
    table,
    webhooks,
    async create(queue, jobs, at) {
      const waitMs = at ? at.getTime() - clock.now() : 0;
      if (jobs.length === 0) return;
      // Rounded to the second: another process may create the same job for that time.
      const keyOf = (key: string) => (at && waitMs > 0 ? `${key}@${Math.ceil(at.getTime() / 1000)}` : key);
      const later = at && waitMs > 0 ? { startAfter: at } : {};
      await boss.insert(
        queue,
        jobs.map(({ key, data }) => ({ data, singletonKey: keyOf(key), ...later })),
      );
      if (waitMs > 0) queues.get(queue)?.wakeIn(waitMs);
      else queues.get(queue)?.wake();
    },
    async createOne({ queue, inAll }) {
      // A process runs one job of a kind at a time; further jobs are for other processes.
      const limit = config.databaseUrl ? inAll : 1;
      for (let key = 1; key <= limit; key += 1) {
        if (await boss.send(queue, {}, { singletonKey: String(key) })) break;
      }
      queues.get(queue)?.wake();
    },
    supervise: () => boss.supervise(),
    onEnd: (queue, listener) => queues.get(queue)?.onEnd(listener) ?? (() => {}),
    isRunning: (queue) => queues.get(queue)?.isRunning ?? false,
  };
}

/**
 * Polls the queues for waiting jobs and wakes their workers: for jobs that other processes created, that were scheduled
 * for later, or that are retried. Also creates the job that sweeps when there is none.
 */
function pollQueues(boss: PgBoss, queues: Map<string, QueueWorker>, context: JobContext): { stop(): Promise<void> } {
  const sweep = context.table.find(({ queue }) => queue === SWEEP);
  const loop = startLoop(
    async () => {
      const { rows } = (await boss.getDb().executeSql(WAITING)) as { rows: Waiting[] };
      for (const { name, in_ms } of rows) if (in_ms !== null) queues.get(name)?.wakeIn(Number(in_ms));
      if (!sweep) return;
      const swept = rows.find(({ name }) => name === sweep.queue);
      if (!swept) await context.createOne(sweep);
      if (swept?.is_dead) {
        await boss.supervise(sweep.queue);
        queues.get(sweep.queue)?.wakeIn(sweep.retryDelay * 1000);
      }
    },
    () => POLL_MS,
    (error) => log.warn({ err: error }, 'cannot poll the queues; trying again'),
  );
  const unsubscribe = context.onEnd(SWEEP, () => loop.wake());
  return {
    stop() {
      unsubscribe();
      return loop.stop();
    },
  };
}

interface Waiting {
  name: string;
  /** Null: the job is running. */
  in_ms: number | string | null;
  /** Whether its heartbeat has ended. */
  is_dead: boolean | null;
}

const WAITING = `SELECT name, EXTRACT(EPOCH FROM MIN(start_after) FILTER (WHERE state < 'active') - now()) * 1000 AS in_ms,
    BOOL_OR(state = 'active' AND COALESCE(heartbeat_on, started_on) < now() - interval '${HEARTBEAT_SECONDS} seconds') AS is_dead
  FROM pgboss.job
  WHERE (state < 'active' AND start_after < now() + interval '${POLL_MS} milliseconds')
    OR (name = '${SWEEP}' AND state <= 'active')
  GROUP BY name`;
