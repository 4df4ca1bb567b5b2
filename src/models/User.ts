import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A person who signs in. `email` is kept in lower case; of an account that has not confirmed it `email` is its id, so that
 * no mail goes there and nobody is kept from having it: see pendingAccounts.
 */
@table('users', {
  id: c.id(),
  email: c.text(),
  passwordHash: c.text(),
  totpSecret: c.optionalText(),
  totpEnabledAt: c.optionalTime(),
  totpStep: c.bigInteger(0),
  pendingEmail: c.optionalText(),
  pendingEntry: c.optionalJson(),
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
  /** What is to be confirmed; null: it is. */
  declare pendingEmail: string | null;
  declare pendingEntry: { teamName: string | null; invitationHash: string | null } | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
