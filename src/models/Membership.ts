import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** A user's role in a team. */
@table('memberships', {
  teamId: { ...c.text(), primaryKey: true },
  userId: { ...c.text(), primaryKey: true },
  role: c.text(),
  mailKinds: c.optionalJson(),
})
export class Membership extends Model {
  declare teamId: string;
  declare userId: string;
  declare role: Role;
  /** The kinds of alerts that are mailed to the member; null: the default of the role. */
  declare mailKinds: string[] | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
