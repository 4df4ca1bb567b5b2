import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A mailed link that confirms the email address of an account. Only the SHA-256 of its token is stored. */
@table(
  'email_confirmations',
  { tokenHash: c.id(), userId: c.text(), expiresAt: c.time(), createdAt: c.time() },
  { timestamps: false },
)
export class EmailConfirmation extends Model {
  declare tokenHash: string;
  declare userId: string;
  declare expiresAt: Date;
  declare createdAt: Date;
}
