import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A label of a project's links. `nameKey` is the name in lower case: names are unique without regard to case. */
@table('tags', {
  id: c.id(),
  projectId: c.text(),
  name: c.text(),
  nameKey: c.text(),
  color: c.optionalText(),
  managedBy: c.optionalText(),
})
export class Tag extends Model {
  declare id: string;
  declare projectId: string;
  declare name: string;
  declare nameKey: string;
  declare color: string | null;
  declare managedBy: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
