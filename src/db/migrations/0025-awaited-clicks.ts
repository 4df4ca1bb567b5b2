import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** Projects whose clicks become events until then although no webhook wants them: somebody follows a stream of events. */
export async function awaitedClicks(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = { project_id: { ...c.text(), primaryKey: true }, awaited_until: c.time() };
  await tables.createTable('awaited_clicks', columns, { transaction });
}
