import { dialect } from '../db/database.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';

/**
 * Waits until no other process counts clicks of these projects, until the transaction ends. They would wait for each
 * other's rollup rows anyway; taking turns from the start spares them deadlocks and makes "have we seen this visitor?"
 * a question with one answer. SQLite has one writer.
 */
export async function takeTurns(projectIds: Iterable<string>, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  const inOrder = [...new Set(projectIds)].sort();
  await withJsonRows(
    { name: 'text' },
    inOrder.map((projectId) => [`clicks of ${projectId}`]),
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM given',
    transaction,
  );
}
