import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** What the first start made, sealed, until a start has shown it. At most one row. */
export async function firstAccount(tables: QueryInterface, transaction: Transaction): Promise<void> {
  await tables.createTable('first_account', { id: c.id(), sealed: c.text(), created_at: c.time() }, { transaction });
}
