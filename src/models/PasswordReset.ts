import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A link to reset a password. Only the SHA-256 of its token is stored. */
@table(
  'password_resets',
  { tokenHash: c.id(), userId: c.text(), expiresAt: c.time(), createdAt: c.time() },
  { timestamps: false },
)
export class PasswordReset extends Model {
  declare tokenHash: string;
  declare userId: string;
  declare expiresAt: Date;
  declare createdAt: Date;
}
