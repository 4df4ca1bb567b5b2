import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A change of an account's e-mail: one that waits until its new address is confirmed, or one that was made and can be
 * undone. Only the SHA-256 of its token, which confirms or undoes it, is stored.
 */
@table(
  'email_changes',
  {
    tokenHash: c.id(),
    userId: c.text(),
    fromEmail: c.text(),
    toEmail: c.text(),
    changedAt: c.optionalTime(),
    expiresAt: c.time(),
    createdAt: c.time(),
  },
  { timestamps: false },
)
export class EmailChange extends Model {
  declare tokenHash: string;
  declare userId: string;
  declare fromEmail: string;
  declare toEmail: string;
  /** Null while it waits to be confirmed. */
  declare changedAt: Date | null;
  /** Until when it can be confirmed; once it was made, until when it can be undone and `fromEmail` is reserved. */
  declare expiresAt: Date;
  declare createdAt: Date;
}
