import type { PgBoss } from 'pg-boss';
import type { Lanes } from '../src/webhooks/lanes/Lanes.ts';
import { planLane } from './planLanes.ts';
import type { JobData } from './queues.ts';

/** Sends what is due for a webhook, and plans when its lane is opened next. */
export async function runLane(boss: PgBoss, lanes: Lanes, { webhookId }: JobData['runLane']): Promise<void> {
  const next = await lanes.run(webhookId);
  if (next) await planLane(boss, webhookId, next);
}
