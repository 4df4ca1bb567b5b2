import type { PgBoss } from 'pg-boss';
import { log } from '../src/kernel/log.ts';
import { signals } from '../src/kernel/signals.ts';
import type { Lanes } from '../src/webhooks/lanes/Lanes.ts';
import { freeWebhooks } from '../src/webhooks/lanes/waitingWebhooks.ts';
import { planLanes } from './planLanes.ts';

/** Time in which announcements are gathered, so that many become one question. */
const GATHER_MS = 3;

/**
 * Hears which webhooks have something new, or were changed. A lane that is here looks for it; where no process has the
 * lane, a job opens it. What gets lost on the way is found by the sweep.
 */
export function wakeLanes(boss: PgBoss, lanes: Lanes, onPlanned: () => void): { stop(): void } {
  let woken = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const plan = async () => {
    const ids = [...woken];
    woken = new Set();
    timer = undefined;
    await planLanes(boss, await freeWebhooks(ids));
    onPlanned();
  };
  const open = (webhookId: string) => {
    woken.add(webhookId);
    timer ??= setTimeout(
      () => plan().catch((error) => log.warn({ err: error }, 'lanes could not be opened; the sweep will')),
      GATHER_MS,
    );
  };
  const subscriptions = [
    signals.on('deliveries', (webhookId) => void (lanes.wake(webhookId) || open(webhookId))),
    signals.on('webhook', (webhookId) => void (lanes.refresh(webhookId) || open(webhookId))),
    signals.onMissed(() => lanes.refreshAll()),
  ];
  return {
    stop() {
      clearTimeout(timer);
      for (const unsubscribe of subscriptions) unsubscribe();
    },
  };
}
