import { hasOutboxEvents } from '../src/events/eventStore.ts';
import { log } from '../src/kernel/log.ts';
import { startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { fanOut } from '../src/webhooks/fanOut.ts';
import { freeWebhooks, waitingWebhooks } from '../src/webhooks/worker/webhookLeases.ts';
import type { JobContext } from './Job.ts';
import { SWEEP } from './queues.ts';

/** How often the process that sweeps looks at the outbox when nothing is announced. */
const OUTBOX_MS = 1000;
/** And the others, which may not know yet that the one that swept is dead. */
const OUTBOX_OF_OTHERS_MS = 60_000;
/** Announcements are gathered for so long, so that many become one query. */
const GATHER_MS = 3;

export interface WebhookJob {
  webhookId: string;
}

/** Sends what is due for a webhook, and makes the job for what is due next. Ends when `webhooks` are stopped. */
export async function sendWebhooks({ webhooks, make }: JobContext, { webhookId }: WebhookJob): Promise<void> {
  const nextAt = await webhooks.run(webhookId);
  if (nextAt) await make('sendWebhooks', [jobOf(webhookId)], nextAt);
}

/** The sweep: webhooks with something due that no process sends to. */
export async function makeWebhookJobs(context: JobContext): Promise<void> {
  await makeJobs(context, await waitingWebhooks());
}

async function makeJobs({ make }: JobContext, webhookIds: readonly string[]): Promise<void> {
  await make('sendWebhooks', webhookIds.map(jobOf));
}

function jobOf(webhookId: string): { key: string; data: WebhookJob } {
  return { key: webhookId, data: { webhookId } };
}

/** Makes deliveries of the events in the outbox, at once when there are any. `stop` ends with the batch in hand. */
export function startFanOut({ isWorking }: JobContext): { stop(): Promise<void> } {
  let isStopping = false;
  const loop = startLoop(
    async () => {
      // Outside of a transaction first: mostly there is none, and on SQLite transactions wait for each other.
      if (await hasOutboxEvents()) while (!isStopping && (await fanOut()) > 0);
    },
    () => (isWorking(SWEEP) ? OUTBOX_MS : OUTBOX_OF_OTHERS_MS),
    (error) => log.warn({ err: error }, 'making deliveries failed; it will be tried again'),
  );
  const unsubscribe = signals.on('outbox', () => loop.wake());
  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      await loop.stop();
    },
  };
}

/**
 * Hears which webhooks have something new, or were changed. A worker in this process looks for it; where no process has
 * one, a job is made. What gets lost on the way is found by the sweep.
 */
export function wakeWebhooks(context: JobContext): { stop(): void } {
  const { webhooks } = context;
  let woken = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const makeThem = async () => {
    const ids = [...woken];
    woken = new Set();
    timer = undefined;
    await makeJobs(context, await freeWebhooks(ids));
  };
  const wake = (webhookId: string) => {
    woken.add(webhookId);
    timer ??= setTimeout(
      () => makeThem().catch((error) => log.warn({ err: error }, 'webhooks were not woken; the sweep will find them')),
      GATHER_MS,
    );
  };
  const subscriptions = [
    signals.on('deliveries', (webhookId) => void (webhooks.wake(webhookId) || wake(webhookId))),
    signals.on('webhook', (webhookId) => void (webhooks.reload(webhookId) || wake(webhookId))),
    signals.onMissed(() => webhooks.reloadAll()),
  ];
  return {
    stop() {
      clearTimeout(timer);
      for (const unsubscribe of subscriptions) unsubscribe();
    },
  };
}
