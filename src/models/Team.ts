import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A team, which has members, owns projects and is billed. */
@table('teams', {
  id: c.id(),
  name: c.text(),
  status: { ...c.text(), defaultValue: 'active' },
  readOnlyReason: c.optionalText(),
  hasNoLimits: c.flag(false),
})
export class Team extends Model {
  declare id: string;
  declare name: string;
  declare status: 'active' | 'read_only';
  declare readOnlyReason: string | null;
  /** The team that the first start created; limits of new accounts do not apply to it. */
  declare hasNoLimits: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
}
