import type { QueryInterface, Transaction } from 'sequelize';
import { database } from '../connection/database.ts';

const STATEMENTS = [
  // Each platform and method in the order of the list; counts read the index alone.
  'CREATE INDEX installs_by_match ON installs (project_id, platform, method, created_at, id)',
  'CREATE INDEX installs_of_links_by_match ON installs (project_id, link_id, platform, method, created_at, id) WHERE link_id IS NOT NULL',
  // What happened in an install, newest first.
  'CREATE INDEX opens_of_installs ON opens (project_id, install_id, occurred_at, id)',
  'DROP INDEX opens_project_id_install_id',
  'CREATE INDEX app_events_of_installs ON app_events (project_id, install_id, occurred_at, id)',
];

/** Indexes for lists of installs by platform and match, and for what happened in one. */
export async function installLists(_: QueryInterface, transaction: Transaction): Promise<void> {
  for (const statement of STATEMENTS) await database().query(statement, { transaction });
}
