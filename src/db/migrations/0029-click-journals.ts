import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/**
 * The journals of clicks that processes keep on their disks, by the process that writes them. `missing_at` is when a sweep first
 * found that a process was silent, `alerted_at` when its alert was raised. A table of its own, because earlier versions delete
 * rows of `click_drains` by their age.
 */
export async function clickJournals(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    name: { ...c.text(), primaryKey: true },
    host: c.optionalText(),
    folder: c.optionalText(),
    heard_at: c.optionalTime(),
    bytes: c.bigInteger(),
    oldest_at: c.optionalTime(),
    missing_at: c.optionalTime(),
    alerted_at: c.optionalTime(),
    lease_until: c.optionalTime(),
  };
  await tables.createTable('click_journals', columns, { transaction });
}
