import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const STATEMENTS = [
  // Counts of deliveries by status, time and type read this index alone, and lists with any status find their rows by it.
  'CREATE INDEX deliveries_by_status ON deliveries (webhook_id, status, created_at, id, event_type)',
  'DROP INDEX deliveries_failed',
  'DROP INDEX deliveries_cancelled',
  // The same over all webhooks of a project.
  'CREATE INDEX deliveries_by_project ON deliveries (project_id, created_at, id, webhook_id, status, event_type)',
];

/** Indexes for figures of deliveries, and when the circuit of a webhook opened; null for circuits that were open before. */
export async function deliveryFigures(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const statement of STATEMENTS) await database().query(statement, { transaction });
  await tables.addColumn('webhooks', 'circuit_opened_at', c.optionalTime(), { transaction });
}
