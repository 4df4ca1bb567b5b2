import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A mailed link that undoes the switching on of a second factor. Only the SHA-256 of its token is stored. */
@table(
  'second_factor_undos',
  { tokenHash: c.id(), userId: c.text(), enabledAt: c.time(), expiresAt: c.time(), createdAt: c.time() },
  { timestamps: false },
)
export class SecondFactorUndo extends Model {
  declare tokenHash: string;
  declare userId: string;
  /** When the second factor was switched on: the link removes it, and every one that was switched on since. */
  declare enabledAt: Date;
  declare expiresAt: Date;
  declare createdAt: Date;
}
