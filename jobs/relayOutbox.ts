import { randomUUID } from 'node:crypto';
import type { JobInsert, PgBoss } from 'pg-boss';
import { markRelayed, unrelayedEvents } from '../src/events/outbox.ts';
import { deriveUuid } from '../src/kernel/ids.ts';
import type { Event } from '../src/models/Event.ts';
import { settleUnwanted } from '../src/webhooks/settleUnwanted.ts';

/** Events taken at once. */
const BATCH = 1000;
/** Clicks that one job fans out. */
const CLICKS_PER_JOB = 100;

/**
 * Hands events of the outbox to jobs until none is left. The job of an event has an id that follows from it, so that a
 * crash before the mark makes no second one; an event whose job got lost gets a fresh one.
 */
export async function relayOutbox(boss: PgBoss): Promise<number> {
  let relayed = 0;
  for (;;) {
    const events = await unrelayedEvents(BATCH);
    if (events.length === 0) return relayed;
    const wanted = new Set(await settleUnwanted(events.map(({ id }) => id)));
    if (wanted.size > 0) {
      await boss.insert('fanOutEvent', jobsFor(events.filter(({ id }) => wanted.has(id))));
      await markRelayed([...wanted]);
    }
    relayed += events.length;
  }
}

function jobsFor(events: Event[]): JobInsert[] {
  const clicks = events.filter((event) => event.type === 'link.clicked');
  const others = events.filter((event) => event.type !== 'link.clicked').map((event) => [event]);
  const batches = Array.from({ length: Math.ceil(clicks.length / CLICKS_PER_JOB) }, (_, index) =>
    clicks.slice(index * CLICKS_PER_JOB, (index + 1) * CLICKS_PER_JOB),
  );
  return [...others, ...batches].map((batch) => ({
    id: jobId(batch),
    data: { eventIds: batch.map((event) => event.id) },
  }));
}

function jobId(batch: Event[]): string {
  const [first] = batch;
  return first && batch.length === 1 && first.relayedAt === null ? deriveUuid(first.id, 'fan-out') : randomUUID();
}
