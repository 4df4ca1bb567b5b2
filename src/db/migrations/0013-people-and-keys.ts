import type { ModelAttributes, QueryInterface, Transaction } from 'sequelize';
import * as c from '../columns.ts';
import { database } from '../connection/database.ts';

const COLUMNS: [table: string, name: string, column: ModelAttributes[string]][] = [
  // When a key ends whose maker has left the team.
  ['api_keys', 'revoke_at', c.optionalTime()],
  // The e-mail of an account that has not shown yet that it is theirs; `email` is their id until then. All accounts that
  // are there count as confirmed.
  ['users', 'pending_email', c.optionalText()],
  // What the account gets when it is confirmed: its team's name, or the invitation that it came with.
  ['users', 'pending_entry', c.optionalJson()],
];

const INDEXES = [
  'CREATE INDEX api_keys_created_by ON api_keys (created_by)',
  'CREATE INDEX users_pending ON users (pending_email, created_at) WHERE pending_email IS NOT NULL',
  'CREATE INDEX users_pending_created_at ON users (created_at) WHERE pending_email IS NOT NULL',
  'CREATE INDEX email_confirmations_user_id ON email_confirmations (user_id)',
  'CREATE INDEX email_confirmations_expires_at ON email_confirmations (expires_at)',
];

/** Keys that end with their maker's membership, and e-mails that are confirmed. */
export async function peopleAndKeys(tables: QueryInterface, transaction: Transaction): Promise<void> {
  await tables.createTable(
    'email_confirmations',
    { token_hash: c.id(), user_id: c.text(), expires_at: c.time(), created_at: c.time() },
    { transaction },
  );
  for (const [table, name, column] of COLUMNS) await tables.addColumn(table, name, column, { transaction });
  for (const sql of INDEXES) await database().query(sql, { transaction });
}
