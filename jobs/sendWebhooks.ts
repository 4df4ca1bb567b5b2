import { log } from '../src/kernel/log.ts';
import { signals } from '../src/kernel/signals.ts';
import { freeWebhooks, waitingWebhooks } from '../src/webhooks/worker/webhookLeases.ts';
import type { JobContext } from './Job.ts';

/** How long announcements are collected, so that many need one query. */
const BATCH_MS = 3;

export interface WebhookJob {
  webhookId: string;
}

/** Sends what is due to a webhook, and creates the job for what is due next. Ends when `webhooks` are stopped. */
export async function sendWebhooks({ webhooks, create }: JobContext, { webhookId }: WebhookJob): Promise<void> {
  const nextAt = await webhooks.run(webhookId);
  if (nextAt) await create('sendWebhooks', [jobOf(webhookId)], nextAt);
}

/** Creates jobs for the webhooks with due deliveries that no process sends to. */
export async function createWebhookJobs(context: JobContext): Promise<void> {
  await createJobs(context, await waitingWebhooks());
}

async function createJobs({ create }: JobContext, webhookIds: readonly string[]): Promise<void> {
  await create('sendWebhooks', webhookIds.map(jobOf));
}

function jobOf(webhookId: string): { key: string; data: WebhookJob } {
  return { key: webhookId, data: { webhookId } };
}

/**
 * Listens for webhooks that have new deliveries or were changed. Wakes their workers in this process, and creates a job
 * where no process has a worker. The sweep finds what an announcement that was lost was about.
 */
export function wakeWebhooks(context: JobContext): { stop(): void } {
  const { webhooks } = context;
  let woken = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const createWoken = async () => {
    const ids = [...woken];
    woken = new Set();
    timer = undefined;
    await createJobs(context, await freeWebhooks(ids));
  };
  const wake = (webhookId: string) => {
    woken.add(webhookId);
    timer ??= setTimeout(
      () => createWoken().catch((error) => log.warn({ err: error }, 'cannot wake webhooks; the sweep will find them')),
      BATCH_MS,
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
