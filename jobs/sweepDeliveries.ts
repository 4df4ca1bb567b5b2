import { randomUUID } from 'node:crypto';
import type { PgBoss } from 'pg-boss';
import type { Delivery } from '../src/models/Delivery.ts';
import { noteJobs, overdueDeliveries } from '../src/webhooks/overdueDeliveries.ts';
import { enqueueDeliveries } from './enqueueDeliveries.ts';

/** Deliveries looked at in one sweep. */
const BATCH = 5000;

/**
 * Gives deliveries whose attempt is overdue, and whose job is gone, a job with a fresh id: after a crash between store
 * and jobs, or when the job store was made anew.
 */
export async function sweepDeliveries(boss: PgBoss, graceSeconds: number): Promise<number> {
  const overdue = await overdueDeliveries(graceSeconds, BATCH);
  const live = await liveJobs(boss, overdue);
  const orphans = overdue.filter((delivery) => !delivery.jobId || !live.has(delivery.jobId));
  for (const delivery of orphans) delivery.jobId = randomUUID();
  await noteJobs(orphans);
  await enqueueDeliveries(boss, orphans);
  return orphans.length;
}

async function liveJobs(boss: PgBoss, deliveries: Delivery[]): Promise<Set<string>> {
  const ids = deliveries.flatMap(({ jobId }) => jobId ?? []);
  if (ids.length === 0) return new Set();
  const { rows } = await boss
    .getDb()
    .executeSql(
      "SELECT id FROM pgboss.job WHERE name = 'deliverWebhook' AND state < 'completed' AND id = ANY($1::uuid[])",
      [ids],
    );
  return new Set(rows.map((row: { id: string }) => row.id));
}
