import { hasOutboxEvents } from '../src/events/eventStore.ts';
import { ASK_MS, OutboxLease } from '../src/events/outboxLease.ts';
import { log } from '../src/kernel/log.ts';
import { type Loop, startLoop } from '../src/kernel/loop.ts';
import { signals } from '../src/kernel/signals.ts';
import { fanOut } from '../src/webhooks/fanOut.ts';

/** How often the reader polls the outbox if nothing is announced. */
const POLL_MS = 1000;
/** Announcements of this time need one look: a first one is followed at once, later ones wait for its end. */
const GATHER_MS = 10;

/**
 * Fans out the events in the outbox as soon as there are any. One process does so for all; the others ask from time to time
 * whether it still does, and are woken by nothing. `stop` waits for the current batch.
 */
export function startFanOut(): { stop(): Promise<void> } {
  const lease = new OutboxLease();
  let isStopping = false;
  let isAnnounced = false;
  const readAll = async () => {
    while (!isStopping && (await lease.hold()) && (await fanOut()).hasMore);
  };
  const loop = startLoop(
    async () => {
      if (!(await lease.hold())) return;
      const isKnown = isAnnounced;
      isAnnounced = false;
      // Checked without a transaction first: mostly there is none, and on SQLite transactions wait for each other.
      if (isKnown || (await hasOutboxEvents())) await readAll();
    },
    // A little apart, so that not all of them ask at once.
    () => (lease.isHeld ? POLL_MS : ASK_MS * (0.8 + 0.4 * Math.random())),
    (error) => log.warn({ err: error }, 'cannot create deliveries; trying again'),
  );
  const gathering = gather(loop);
  const unsubscribe = signals.on('outbox', () => {
    if (!lease.isHeld) return;
    isAnnounced = true;
    gathering.wake();
  });
  return {
    async stop() {
      isStopping = true;
      unsubscribe();
      gathering.stop();
      await loop.stop();
      await lease.release().catch((error) => log.warn({ err: error }, 'cannot hand over the outbox'));
    },
  };
}

/** Wakes a loop at once, and then at most once in GATHER_MS. */
function gather(loop: Loop): { wake(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isWanted = false;
  const wake = () => {
    isWanted = timer !== undefined;
    if (timer) return;
    loop.wake();
    timer = setTimeout(() => {
      timer = undefined;
      if (isWanted) wake();
    }, GATHER_MS);
  };
  return { wake, stop: () => clearTimeout(timer) };
}
