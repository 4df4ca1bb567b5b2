import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** When the health of a project is checked next, and until when somebody does just now. */
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
  /** When the last run ended, also of those that somebody asked for. */
  declare ranAt: Date | null;
}
