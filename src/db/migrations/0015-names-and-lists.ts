import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** What the last look at a domain saw, and which blocklists all links were held against. */
export async function namesAndLists(tables: QueryInterface, transaction: Transaction): Promise<void> {
  await tables.addColumn('domains', 'seen', c.optionalJson(), { transaction });
  const columns = {
    // Of the content of all lists together, as one process has them.
    fingerprint: { ...c.text(), primaryKey: true },
    lease_until: c.optionalTime(),
    finished_at: c.optionalTime(),
  };
  await tables.createTable('blocklist_walks', columns, { transaction });
}
