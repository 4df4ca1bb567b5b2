import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A person who signs in. `email` is kept in lower case. */
@table('users', { id: c.id(), email: c.text(), passwordHash: c.text() })
export class User extends Model {
  declare id: string;
  declare email: string;
  declare passwordHash: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}
