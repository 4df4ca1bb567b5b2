import type { JobInsert, PgBoss } from 'pg-boss';
import type { Delivery } from '../src/models/Delivery.ts';

/** Makes the jobs that these deliveries name, due when they are due. A job that exists is left as it is. */
export async function enqueueDeliveries(boss: PgBoss, deliveries: Delivery[]): Promise<void> {
  const byJob = Map.groupBy(
    deliveries.filter(({ jobId }) => jobId),
    (delivery) => delivery.jobId as string,
  );
  const jobs = [...byJob].map(([id, batch]): JobInsert => {
    const [first] = batch as [Delivery];
    return {
      id,
      data: { deliveryIds: batch.map((delivery) => delivery.id) },
      group: { id: first.webhookId },
      ...(first.nextAttemptAt ? { startAfter: first.nextAttemptAt } : {}),
    };
  });
  if (jobs.length > 0) await boss.insert('deliverWebhook', jobs);
}
