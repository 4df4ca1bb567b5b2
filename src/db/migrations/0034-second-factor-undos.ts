import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** Mailed links that undo the switching on of a second factor. `enabled_at`: when the second factor was switched on. */
export async function secondFactorUndos(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = {
    token_hash: c.id(),
    user_id: c.text(),
    enabled_at: c.time(),
    expires_at: c.time(),
    created_at: c.time(),
  };
  await tables.createTable('second_factor_undos', columns, { transaction });
  for (const field of ['user_id', 'expires_at']) {
    const index = { fields: [field], name: `second_factor_undos_${field}`, transaction };
    await tables.addIndex('second_factor_undos', index);
  }
}
