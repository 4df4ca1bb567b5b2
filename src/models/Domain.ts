import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A hostname of a project: `link` ones serve its short links once they are verified. */
@table('domains', {
  id: c.id(),
  projectId: c.text(),
  hostname: c.text(),
  kind: c.text(),
  status: { ...c.text(), defaultValue: 'pending' },
  checkedAt: c.optionalTime(),
  verifiedAt: c.optionalTime(),
  rootDestination: c.optionalText(),
  notFoundDestination: c.optionalText(),
  expiredDestination: c.optionalText(),
})
export class Domain extends Model {
  declare id: string;
  declare projectId: string;
  declare hostname: string;
  declare kind: 'link' | 'web';
  declare status: 'pending' | 'verified' | 'failing';
  declare checkedAt: Date | null;
  declare verifiedAt: Date | null;
  declare rootDestination: string | null;
  declare notFoundDestination: string | null;
  declare expiredDestination: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
