import type { QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const INDEXES = [
  'CREATE INDEX email_changes_user_id ON email_changes (user_id)',
  // Who keeps an address reserved.
  'CREATE INDEX email_changes_from_email ON email_changes (from_email)',
  'CREATE INDEX email_changes_expires_at ON email_changes (expires_at)',
  'CREATE INDEX users_deletion_at ON users (deletion_at) WHERE deletion_at IS NOT NULL',
  // What was mailed to a person, for the deletion of their account.
  'CREATE INDEX mails_address ON mails (address)',
];

/** Changes of e-mails that wait or can be undone, and accounts that were deleted and can be restored. */
export async function leaving(tables: QueryInterface, transaction: Transaction): Promise<void> {
  const columns = { token_hash: c.id(), user_id: c.text(), from_email: c.text(), to_email: c.text() };
  const times = { changed_at: c.optionalTime(), expires_at: c.time(), created_at: c.time() };
  await tables.createTable('email_changes', { ...columns, ...times }, { transaction });
  // When the account will be deleted for good; null for all others.
  await tables.addColumn('users', 'deletion_at', c.optionalTime(), { transaction });
  // The memberships that ended with the deletion, to be restored.
  await tables.addColumn('users', 'left_teams', c.optionalJson(), { transaction });
  for (const sql of INDEXES) await database().query(sql, { transaction });
}
