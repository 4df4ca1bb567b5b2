import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const TABLES = ['links', 'tags', 'domains', 'webhooks'];

const STATEMENTS = [
  'CREATE INDEX links_by_manager ON links (project_id, managed_by, created_at, id) WHERE managed_by IS NOT NULL',
  // A deleted webhook frees its id at once, although its row stays until its deliveries are deleted.
  'CREATE UNIQUE INDEX webhooks_external_id ON webhooks (project_id, external_id) WHERE external_id IS NOT NULL AND deleted_at IS NULL',
  // Null is distinct from null in an index: team-wide webhooks have one of their own.
  'CREATE UNIQUE INDEX webhooks_team_external_id ON webhooks (team_id, external_id) WHERE project_id IS NULL AND external_id IS NOT NULL AND deleted_at IS NULL',
];

/** Which configuration or program manages a row, and your own ids of webhooks. */
export async function managedBy(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const table of TABLES) await tables.addColumn(table, 'managed_by', c.optionalText(), { transaction });
  await tables.addColumn('webhooks', 'external_id', c.optionalText(), { transaction });
  for (const statement of STATEMENTS) await database().query(statement, { transaction });
}
