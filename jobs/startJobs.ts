import { collectTraffic } from '../src/clicks/collectTraffic.ts';
import type { Config } from '../src/kernel/config.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { createSender } from '../src/webhooks/send.ts';
import { startBoss } from './boss.ts';
import { deliverWebhook } from './deliverWebhook.ts';
import { fanOutEvent } from './fanOutEvent.ts';
import { relayOutbox } from './relayOutbox.ts';
import { startPool } from './startPool.ts';
import { sweepDeliveries } from './sweepDeliveries.ts';

/** The outbox is looked at this often when nothing is announced. */
const RELAY_MS = 1000;
const SWEEP_MS = 15_000;
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
      if ((await sweepDeliveries(boss, graceSeconds)) > 0) deliveries.wake();
      graceSeconds = OVERDUE_SECONDS;
    },
    () => SWEEP_MS,
    complain('looking for overdue deliveries'),
  );
  const collect = startLoop(collectTraffic, () => config.trafficCollectSeconds * 1000, complain('collecting clicks'));
  return {
    async stop() {
      unsubscribe();
      await Promise.all([relay.stop(), sweep.stop(), collect.stop(), events.stop()]);
      await deliveries.stop();
      await sender.close();
      await stop();
    },
  };
}
