import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/**
 * Which part of a link's click limit a process holds: `share` people whom it may have let through without their clicks being
 * counted yet, or may still let through. `holder` is the name of its journal in `click_journals`.
 */
export async function clickShares(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    link_id: { ...c.text(), primaryKey: true },
    holder: { ...c.text(), primaryKey: true },
    share: c.integer(),
    expires_at: c.time(),
  };
  await tables.createTable('click_shares', columns, { transaction });
  await tables.addIndex('click_shares', { fields: ['holder'], name: 'click_shares_holder', transaction });
}
