import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** Who pays and who belongs together; owns projects. */
@table('teams', {
  id: c.id(),
  name: c.text(),
  status: { ...c.text(), defaultValue: 'active' },
  readOnlyReason: c.optionalText(),
})
export class Team extends Model {
  declare id: string;
  declare name: string;
  declare status: 'active' | 'read_only';
  declare readOnlyReason: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
