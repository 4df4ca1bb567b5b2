import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A one-time code that replaces the authenticator app at sign-in. Only its SHA-256 is stored. */
@table(
  'recovery_codes',
  { userId: { ...c.text(), primaryKey: true }, codeHash: { ...c.text(), primaryKey: true } },
  { timestamps: false },
)
export class RecoveryCode extends Model {
  declare userId: string;
  declare codeHash: string;
}
