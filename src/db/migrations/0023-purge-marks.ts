import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

const COLUMNS = [
  // From then on it cannot be restored any more.
  'purge_began_at',
  // Its purge has failed, and waits until then.
  'purge_retry_at',
];

/** What the purge of a deleted project or team has come to. */
export async function purgeMarks(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const table of ['projects', 'teams']) {
    for (const column of COLUMNS) await tables.addColumn(table, column, c.optionalTime(), { transaction });
  }
}
