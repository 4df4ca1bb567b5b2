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
import { showJobs } from './jobMetrics.ts';
import { QueueWorker } from './QueueWorker.ts';
import { HEARTBEAT_SECONDS, SWEEP, TAKEOVER_MS } from './queues.ts';
import { startFanOut, wakeWebhooks } from './sendWebhooks.ts';
import { sweepAtStart, sweepOwn } from './sweepStore.ts';
import { JOBS } from './table.ts';

/** How often the queues are looked at for jobs of other processes, and whether one sweeps. */
const WATCH_MS = 5000;

/**
 * Starts everything that works in the background; for `takeoverMs` this process sweeps even if another one does. `stop`
 * finishes what is in hand.
 */
export async function startJobs(
  config: Config,
  table: readonly Job[] = JOBS,
  takeoverMs = TAKEOVER_MS,
): Promise<{ stop(): Promise<void> }> {
  const { boss, stop } = await startBoss(config, table);
  if (!config.databaseUrl) {
    await freeImports();
    await freeWebhooksOfDeadProcess();
  }
  warnOfPlainMail();
  const sender = createSender({
    timeoutMs: () => config.webhookTimeoutSeconds * 1000,
    allowPrivate: () => config.allowPrivateTargets,
  });
  const webhooks = new WebhookWorkers(sender, config.webhookMaxInFlight);
  showGauge('svc_webhook_lanes', 'Webhooks that this process sends to now.', () => webhooks.size);
  showGauge('svc_webhook_requests_in_flight', 'Requests to webhooks under way.', () => webhooks.inFlight);
  showJobs(table, boss.getDb());
  const queues = new Map<string, QueueWorker>();
  const context = contextOf(boss, config, { table, webhooks, queues });
  for (const job of table) queues.set(job.queue, new QueueWorker(boss, job, context));
  const stopping = new AbortController();
  const sweeping = Promise.all([
    sweepOwn(context, stopping.signal),
    // The embedded job store has no other process; jobs of one that was killed are freed at its start.
    config.databaseUrl ? sweepAtStart(context, takeoverMs, stopping.signal) : null,
  ]);
  const fanOut = startFanOut(context);
  const waking = wakeWebhooks(context);
  const watch = watchQueues(boss, queues, context);
  return {
    async stop() {
      stopping.abort();
      waking.stop();
      await Promise.all([sweeping, fanOut.stop(), watch.stop()]);
      const workers = [...queues.values()];
      await Promise.all(workers.map((worker) => worker.stopFetching()));
      await webhooks.stop();
      await Promise.all(workers.map((worker) => worker.ended()));
      await sender.close();
      await stop();
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
    async make(queue, jobs, at) {
      const waitMs = at ? at.getTime() - clock.now() : 0;
      if (jobs.length === 0) return;
      // To the second: another process may make the same job for then.
      const keyOf = (key: string) => (at && waitMs > 0 ? `${key}@${Math.ceil(at.getTime() / 1000)}` : key);
      const later = at && waitMs > 0 ? { startAfter: at } : {};
      await boss.insert(
        queue,
        jobs.map(({ key, data }) => ({ data, singletonKey: keyOf(key), ...later })),
      );
      if (waitMs > 0) queues.get(queue)?.wakeIn(waitMs);
      else queues.get(queue)?.wake();
    },
    async makeOne({ queue, inAll }) {
      // One process works one of a kind at a time, and others take what it leaves.
      const most = config.databaseUrl ? inAll : 1;
      for (let place = 1; place <= most; place += 1) {
        if (await boss.send(queue, {}, { singletonKey: String(place) })) break;
      }
      queues.get(queue)?.wake();
    },
    supervise: () => boss.supervise(),
    onEnd: (queue, listener) => queues.get(queue)?.onEnd(listener) ?? (() => {}),
    isWorking: (queue) => queues.get(queue)?.isWorking ?? false,
  };
}

/**
 * Looks again and again at which queues have jobs that wait, and wakes their workers: those of other processes, those for
 * a later time, those that are tried again. And makes the job that sweeps when no process has it.
 */
function watchQueues(boss: PgBoss, queues: Map<string, QueueWorker>, context: JobContext): { stop(): Promise<void> } {
  const sweep = context.table.find(({ queue }) => queue === SWEEP);
  const loop = startLoop(
    async () => {
      const { rows } = (await boss.getDb().executeSql(WAITING)) as { rows: Waiting[] };
      for (const { name, in_ms } of rows) if (in_ms !== null) queues.get(name)?.wakeIn(Number(in_ms));
      if (!sweep) return;
      const swept = rows.find(({ name }) => name === sweep.queue);
      if (!swept) await context.makeOne(sweep);
      if (swept?.is_dead) {
        await boss.supervise(sweep.queue);
        queues.get(sweep.queue)?.wakeIn(sweep.retryDelay * 1000);
      }
    },
    () => WATCH_MS,
    (error) => log.warn({ err: error }, 'the queues could not be looked at; it will be tried again'),
  );
  const stopWatching = context.onEnd(SWEEP, () => loop.wake());
  return {
    stop() {
      stopWatching();
      return loop.stop();
    },
  };
}

interface Waiting {
  name: string;
  /** Null: it is worked. */
  in_ms: number | string | null;
  /** Its process is not heard of any more. */
  is_dead: boolean | null;
}

const WAITING = `SELECT name, EXTRACT(EPOCH FROM MIN(start_after) FILTER (WHERE state < 'active') - now()) * 1000 AS in_ms,
    BOOL_OR(state = 'active' AND COALESCE(heartbeat_on, started_on) < now() - interval '${HEARTBEAT_SECONDS} seconds') AS is_dead
  FROM pgboss.job
  WHERE (state < 'active' AND start_after < now() + interval '${WATCH_MS} milliseconds')
    OR (name = '${SWEEP}' AND state <= 'active')
  GROUP BY name`;
