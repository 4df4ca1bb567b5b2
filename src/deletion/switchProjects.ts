import { announce } from '../db/announce.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { log } from '../kernel/log.ts';
import type { Project } from '../models/Project.ts';
import { releasePutOff } from '../webhooks/deliveryStore.ts';

/**
 * Tells every process that these projects of a team were deleted or restored: redirects, keys, association files and the
 * workers of all webhooks of the team, because team-wide ones have deliveries about the projects in hand.
 */
export async function announceSwitch(
  { teamId, projectIds }: { teamId: string; projectIds: readonly string[] },
  transaction: Transaction,
): Promise<void> {
  const domains = await queryRaw<{ hostname: string }>(
    `SELECT hostname FROM domains WHERE ${inList('project_id', '$1')}`,
    [inListValue(projectIds)],
    transaction,
  );
  const webhooks = await queryRaw<{ id: string }>(
    'SELECT id FROM webhooks WHERE team_id = $1 AND deleted_at IS NULL',
    [teamId],
    transaction,
  );
  await announce(transaction, 'project', ...projectIds);
  await announce(transaction, 'domain', ...domains.map(({ hostname }) => hostname));
  await announce(transaction, 'webhook', ...webhooks.map(({ id }) => id));
}

/** Lets what has waited in these projects go on. `deletionAt` is the one that they had. */
export async function resume(
  projects: readonly Pick<Project, 'id' | 'teamId'>[],
  deletionAt: Date,
  transaction: Transaction,
): Promise<void> {
  // Their traffic is watched from now on: the hours without any were no anomaly.
  await queryRaw(
    `DELETE FROM traffic_watches WHERE ${inList('project_id', '$1')}`,
    [inListValue(projects.map(({ id }) => id))],
    transaction,
  );
  for (const topic of ['outbox', 'imports', 'replays'] as const) await announce(transaction, topic, '');
  transaction.afterCommit(() => void releaseDeliveries(projects, deletionAt));
}

/** In many transactions, because there may be a million. If the process dies before the end, the rest is sent later. */
async function releaseDeliveries(projects: readonly Pick<Project, 'id' | 'teamId'>[], deletionAt: Date): Promise<void> {
  const release = ({ id, teamId }: Pick<Project, 'id' | 'teamId'>) =>
    inTransaction(async (transaction) => {
      const webhookIds = await releasePutOff({ id, teamId, deletionAt }, transaction);
      await announce(transaction, 'deliveries', ...webhookIds);
      return webhookIds.length > 0;
    });
  try {
    for (const project of projects) while (await release(project));
  } catch (error) {
    log.warn({ err: error }, 'deliveries of a restored project could not be released; they will be sent later');
  }
}
