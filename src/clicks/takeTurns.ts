import { lockNames } from '../db/lockNames.ts';
import type { Transaction } from '../db/sequelize.ts';

/**
 * Waits until no other process counts clicks of these projects, until the transaction ends. They would wait for each
 * other's rollup rows anyway; taking turns from the start spares them deadlocks and makes "have we seen this visitor?"
 * a question with one answer. SQLite has one writer.
 */
export function takeTurns(projectIds: Iterable<string>, transaction: Transaction): Promise<void> {
  return lockNames(
    [...projectIds].map((projectId) => `clicks of ${projectId}`),
    transaction,
  );
}
