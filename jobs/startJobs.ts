import { purgeAnswers } from '../src/access/idempotency/records.ts';
import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { freeImports } from '../src/services/imports/claimImport.ts';
import { createSender } from '../src/webhooks/send.ts';
import { startBoss } from './boss.ts';
import { deliverWebhook } from './deliverWebhook.ts';
import { fanOutEvent } from './fanOutEvent.ts';
import { relayOutbox } from './relayOutbox.ts';
import { rescanLinks } from './rescanLinks.ts';
import { runImports } from './runImports.ts';
import { startPool } from './startPool.ts';
import { sweepDeliveries } from './sweepDeliveries.ts';

/** The outbox is looked at this often when nothing is announced. */
const RELAY_MS = 1000;
const SWEEP_MS = 15_000;
/** Stored answers whose day is over are deleted this often, so many at a time. */
const PURGE_MS = 60_000;
const PURGE_BATCH = 500;
/** A delivery is overdue when its job has had this long to come. */
const OVERDUE_SECONDS = 15;
/** Requests to receivers at once, for one webhook (the contract's number) and in all. */
const IN_FLIGHT_PER_WEBHOOK = 10;
const IN_FLIGHT = 200;

/** Starts everything that works in the background. `stop` finishes what is in hand. */
export async function startJobs(config: Config): Promise<{ stop(): Promise<void> }> {
  const { boss, stop } = await startBoss(config);
  const sender = createSender({
    timeoutMs: () => config.webhookTimeoutSeconds * 1000,
    allowPrivate: () => config.allowPrivateTargets,
  });
  const deliveries = startPool(boss, 'deliverWebhook', {
    slots: IN_FLIGHT,
    groupConcurrency: IN_FLIGHT_PER_WEBHOOK,
    handle: (data) => deliverWebhook(boss, sender, data),
  });
  const events = startPool(boss, 'fanOutEvent', {
    slots: 4,
    async handle(data) {
      await fanOutEvent(boss, data);
      deliveries.wake();
    },
  });
  const complain = (work: string) => (error: unknown) => log.warn({ err: error }, `${work} failed; it is tried again`);
  const relay = startLoop(
    async () => {
      if ((await relayOutbox(boss)) > 0) events.wake();
    },
    () => RELAY_MS,
    complain('relaying events'),
  );
  const unsubscribe = signals.on('outbox', () => relay.wake());
  // After a start nothing is in hand, so whatever is due is overdue.
  let graceSeconds = config.databaseUrl ? OVERDUE_SECONDS : 0;
  const sweep = startLoop(
    async () => {
      const grace = graceSeconds;
      graceSeconds = OVERDUE_SECONDS;
      if ((await sweepDeliveries(boss, grace)) > 0) deliveries.wake();
    },
    () => SWEEP_MS,
    complain('looking for overdue deliveries'),
  );
  // A webhook was switched on: what waited for that has no job any more.
  const unsubscribeWebhooks = signals.on('webhook', () => {
    graceSeconds = 0;
    sweep.wake();
  });
  const collect = startLoop(collectTraffic, () => config.trafficCollectSeconds * 1000, complain('collecting clicks'));
  const rescan = startLoop(rescanLinks, () => config.rescanPauseSeconds * 1000, complain('scanning links again'));
  const purge = startLoop(
    async () => {
      while ((await purgeAnswers(PURGE_BATCH)) === PURGE_BATCH);
    },
    () => PURGE_MS,
    complain('deleting stored answers'),
  );
  if (!config.databaseUrl) await freeImports();
  const stopping = new AbortController();
  const imports = startLoop(
    () => runImports(stopping.signal),
    () => config.importPollMilliseconds,
    complain('looking for imports'),
  );
  return {
    async stop() {
      unsubscribe();
      stopping.abort();
      await imports.stop();
      unsubscribeWebhooks();
      await Promise.all([rescan.stop(), purge.stop(), relay.stop(), sweep.stop(), collect.stop(), events.stop()]);
      await deliveries.stop();
      await sender.close();
      await stop();
    },
  };
}
