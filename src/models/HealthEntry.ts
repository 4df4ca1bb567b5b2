import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import type { CheckFacts } from '../events/presentHealth.ts';
import { table } from './define.ts';

/** What a health check of a project said, from when to when. */
@table(
  'health_history',
  {
    id: c.id(),
    projectId: c.text(),
    name: c.text(),
    status: c.text(),
    message: c.text(),
    since: c.time(),
    until: c.optionalTime(),
  },
  { timestamps: false },
)
export class HealthEntry extends Model {
  declare id: string;
  declare projectId: string;
  declare name: string;
  declare status: CheckFacts['status'];
  /** As it was in the beginning. */
  declare message: string;
  declare since: Date;
  /** Null: it still does. */
  declare until: Date | null;
}
