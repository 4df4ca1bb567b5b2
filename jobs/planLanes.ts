import type { JobInsert, PgBoss } from 'pg-boss';
import { clock } from '../src/kernel/clock.ts';

/** Makes the jobs that open lanes: for each of these webhooks one that can be fetched at once. */
export async function planLanes(boss: PgBoss, webhookIds: string[]): Promise<void> {
  const jobs = webhookIds.map((webhookId): JobInsert => ({ data: { webhookId }, singletonKey: webhookId }));
  if (jobs.length > 0) await boss.insert('runLane', jobs);
}

/** Makes the job that opens the lane of a webhook when its next delivery is due. */
export async function planLane(boss: PgBoss, webhookId: string, at: Date): Promise<void> {
  if (at.getTime() <= clock.now()) return planLanes(boss, [webhookId]);
  // To the second: whoever ends the lane meanwhile plans the same again.
  const singletonKey = `${webhookId}@${Math.ceil(at.getTime() / 1000)}`;
  await boss.insert('runLane', [{ data: { webhookId }, singletonKey, startAfter: at }]);
}
