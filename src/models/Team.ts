import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A team, which has members, owns projects and is billed. Queries find deleted ones through `Team.unscoped()` only. */
@table(
  'teams',
  {
    id: c.id(),
    name: c.text(),
    status: { ...c.text(), defaultValue: 'active' },
    readOnlyReason: c.optionalText(),
    hasNoLimits: c.flag(false),
    deletionAt: c.optionalTime(),
    purgeBeganAt: c.optionalTime(),
  },
  { defaultScope: { where: { deletionAt: null } } },
)
export class Team extends Model {
  declare id: string;
  declare name: string;
  declare status: 'active' | 'read_only';
  declare readOnlyReason: string | null;
  /** The team that the first start created; limits of new accounts do not apply to it. */
  declare hasNoLimits: boolean;
  /** When it is deleted for good; null while nobody has deleted it. */
  declare deletionAt: Date | null;
  /** When its purge began: since then it cannot be restored, whatever `deletionAt` says. */
  declare purgeBeganAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
