import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A person who signs in. `email` is kept in lower case. */
@table('users', {
  id: c.id(),
  email: c.text(),
  passwordHash: c.text(),
  totpSecret: c.optionalText(),
  totpEnabledAt: c.optionalTime(),
  totpStep: c.bigInteger(0),
})
export class User extends Model {
  declare id: string;
  declare email: string;
  declare passwordHash: string;
  /** Sealed; without `totpEnabledAt` it waits for its first code. */
  declare totpSecret: string | null;
  declare totpEnabledAt: Date | null;
  /** The time step of the last code: each is good once. Of PostgreSQL it comes as text. */
  declare totpStep: number | string;
  declare createdAt: Date;
  declare updatedAt: Date;
}
