import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';

/** What of an attempt's request cannot be told later: where it went, and how it was signed. Null for those before. */
export async function attemptsAsSent(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const name of ['url', 'signature']) await tables.addColumn('attempts', name, c.optionalText(), { transaction });
}
