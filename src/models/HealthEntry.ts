import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';
import type { CheckFacts } from './HealthCheck.ts';

/** A status of a health check of a project, with its start and end. */
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
  /** The message at the start of this status. */
  declare message: string;
  declare since: Date;
  /** Null: the status still holds. */
  declare until: Date | null;
}
