import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** When the health of a project is checked next, and how long the current check holds its lease. */
@table(
  'health_turns',
  {
    projectId: { ...c.text(), primaryKey: true },
    dueAt: c.time(),
    leaseUntil: c.optionalTime(),
    ranAt: c.optionalTime(),
  },
  { timestamps: false },
)
export class HealthTurn extends Model {
  declare projectId: string;
  declare dueAt: Date;
  declare leaseUntil: Date | null;
  /** When the last run ended, including requested runs. */
  declare ranAt: Date | null;
}
