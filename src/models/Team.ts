import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** Who pays and who belongs together; owns projects. */
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
  /** The team of the first start: the limits of new accounts are not for it. */
  declare hasNoLimits: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
}
