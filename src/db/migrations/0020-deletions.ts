import type { ModelAttributes, QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const COLUMNS: [table: string, name: string, column: ModelAttributes[string]][] = [
  // When it is deleted for good; null while nobody has deleted it.
  ['projects', 'deletion_at', c.optionalTime()],
  // Its team was deleted, and brings it back when it is restored.
  ['projects', 'deleted_with_team', c.flag(false)],
  ['teams', 'deletion_at', c.optionalTime()],
];

const INDEXES = [
  'CREATE INDEX projects_deleted ON projects (deletion_at) WHERE deletion_at IS NOT NULL',
  'CREATE INDEX teams_deleted ON teams (deletion_at) WHERE deletion_at IS NOT NULL',
  'CREATE INDEX purged_projects_sweep_at ON purged_projects (sweep_at)',
  // Every table of a project is emptied through an index.
  'CREATE INDEX click_devices_project_id ON click_devices (project_id)',
];

/** Deleting projects and teams. `purged_projects` has those that are gone, until nothing that was on its way can arrive any more. */
export async function deletions(tables: QueryInterface, transaction: Transaction): Promise<void> {
  for (const [table, name, column] of COLUMNS) await tables.addColumn(table, name, column, { transaction });
  const purged = { id: c.id(), purged_at: c.time(), sweep_at: c.time() };
  await tables.createTable('purged_projects', purged, { transaction });
  for (const sql of INDEXES) await database().query(sql, { transaction });
}
