import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** What lets a person in without their authenticator app, once. Only its SHA-256 is stored. */
@table(
  'recovery_codes',
  { userId: { ...c.text(), primaryKey: true }, codeHash: { ...c.text(), primaryKey: true } },
  { timestamps: false },
)
export class RecoveryCode extends Model {
  declare userId: string;
  declare codeHash: string;
}
