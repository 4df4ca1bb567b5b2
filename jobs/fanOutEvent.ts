import type { PgBoss } from 'pg-boss';
import { fanOut } from '../src/webhooks/fanOut.ts';
import { enqueueDeliveries } from './enqueueDeliveries.ts';
import type { JobData } from './queues.ts';

/** Makes the deliveries of events, and the jobs of their first attempts. */
export async function fanOutEvent(boss: PgBoss, { eventIds }: JobData['fanOutEvent']): Promise<void> {
  await enqueueDeliveries(boss, await fanOut(eventIds));
}
