import type { PgBoss } from 'pg-boss';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { showGauge } from '../src/kernel/metrics.ts';
import { signals } from '../src/kernel/signals.ts';
import { fanOut } from '../src/webhooks/fanOut.ts';
import { Lanes } from '../src/webhooks/lanes/Lanes.ts';
import { freeLanes, waitingWebhooks } from '../src/webhooks/lanes/waitingWebhooks.ts';
import { createSender } from '../src/webhooks/send.ts';
import { planLanes } from './planLanes.ts';
import { runLane } from './runLane.ts';
import { startPool } from './startPool.ts';
import { wakeLanes } from './wakeLanes.ts';

/** The outbox is looked at this often when nothing is announced. */
const OUTBOX_MS = 1000;
/** Lanes of one process at once; one that waits for a slow receiver costs little. */
const LANES = 1000;

/** Starts all that brings events to receivers: the outbox becomes deliveries, and lanes send them. */
export async function startDeliveries(boss: PgBoss, config: Config): Promise<{ stop(): Promise<void> }> {
  if (!config.databaseUrl) await freeLanes();
  const sender = createSender({
    timeoutMs: () => config.webhookTimeoutSeconds * 1000,
    allowPrivate: () => config.allowPrivateTargets,
  });
  const lanes = new Lanes(sender, config.webhookMaxInFlight);
  showGauge('svc_webhook_lanes', 'Webhooks that this process sends to now.', () => lanes.size);
  showGauge('svc_webhook_requests_in_flight', 'Requests to webhooks under way.', () => lanes.inFlight);
  const pool = startPool(boss, 'runLane', { slots: LANES, handle: (data) => runLane(boss, lanes, data) });
  const waking = wakeLanes(boss, lanes, () => pool.wake());
  let isStopping = false;
  const outbox = startLoop(
    async () => {
      while (!isStopping && (await fanOut()) > 0);
    },
    () => OUTBOX_MS,
    (error) => log.warn({ err: error }, 'making deliveries failed; it is tried again'),
  );
  const unsubscribe = signals.on('outbox', () => outbox.wake());
  const sweep = startLoop(
    async () => {
      const waiting = await waitingWebhooks();
      if (waiting.length === 0) return;
      await planLanes(boss, waiting);
      pool.wake();
    },
    () => config.webhookSweepSeconds * 1000,
    (error) => log.warn({ err: error }, 'looking for webhooks that wait failed; it is tried again'),
  );
  return {
    /** Makes no more deliveries and waits for the requests under way. */
    async stop() {
      isStopping = true;
      unsubscribe();
      waking.stop();
      await Promise.all([outbox.stop(), sweep.stop()]);
      await pool.stop(() => lanes.stop());
      await sender.close();
    },
  };
}
