import type { PgBoss } from 'pg-boss';
import { attemptDelivery } from '../src/webhooks/attemptDelivery.ts';
import type { Sender } from '../src/webhooks/send.ts';
import { enqueueDeliveries } from './enqueueDeliveries.ts';
import type { JobData } from './queues.ts';

/** Makes the attempts of a job, one after the other, and the jobs of those that are to come. */
export async function deliverWebhook(
  boss: PgBoss,
  sender: Sender,
  { deliveryIds }: JobData['deliverWebhook'],
): Promise<void> {
  for (const id of deliveryIds) {
    const next = await attemptDelivery(id, sender);
    if (next) await enqueueDeliveries(boss, [next]);
  }
}
