import { dialect } from './database.ts';
import { withJsonRows } from './jsonRows.ts';
import type { Transaction } from './sequelize.ts';

/**
 * Waits until no other transaction has locked one of these names, and keeps them until this one ends. Always in the same
 * order, so that two who want the same names never wait for each other. SQLite has one writer.
 */
export async function lockNames(names: Iterable<string>, transaction: Transaction): Promise<void> {
  if (dialect() === 'sqlite') return;
  const inOrder = [...new Set(names)].sort();
  await withJsonRows(
    { name: 'text' },
    inOrder.map((name) => [name]),
    'SELECT pg_advisory_xact_lock(hashtextextended(name, 0)) FROM given',
    transaction,
  );
}
