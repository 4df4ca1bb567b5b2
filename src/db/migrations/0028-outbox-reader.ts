import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** Which process reads the outbox: see src/events/outboxLease.ts. */
export async function outboxReader(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = { id: { ...c.text(), primaryKey: true }, read_until: c.optionalTime() };
  await tables.createTable('outbox_readers', columns, { transaction });
}
