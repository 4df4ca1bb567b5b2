import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A tag of a link. */
@table(
  'link_tags',
  { linkId: { ...c.text(), primaryKey: true }, tagId: { ...c.text(), primaryKey: true } },
  { timestamps: false },
)
export class LinkTag extends Model {
  declare linkId: string;
  declare tagId: string;
}
