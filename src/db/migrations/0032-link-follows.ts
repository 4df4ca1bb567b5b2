import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/**
 * Which links a process has followed most, so that one that starts anew knows what to keep in its snapshot. `holder` is the name
 * of its journal in `click_journals`, `follows` a JSON list of pairs: the id of a link, and a count that halves each day.
 */
export async function linkFollows(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    holder: { ...c.text(), primaryKey: true },
    reported_at: c.time(),
    follows: c.text(),
  };
  await tables.createTable('link_follows', columns, { transaction });
}
