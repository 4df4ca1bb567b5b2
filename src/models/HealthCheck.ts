import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import type { CheckFacts } from '../events/presentHealth.ts';
import { table } from './define.ts';

const part = () => ({ ...c.text(), primaryKey: true });

/** A health check of a project as it is reported. */
@table(
  'health_checks',
  {
    projectId: part(),
    name: part(),
    status: c.text(),
    message: c.text(),
    since: c.optionalTime(),
    failures: c.integer(0),
    involved: c.flag(false),
  },
  { timestamps: false },
)
export class HealthCheck extends Model {
  declare projectId: string;
  declare name: string;
  declare status: CheckFacts['status'];
  declare message: string;
  /** Null: nothing was reported yet. */
  declare since: Date | null;
  /** Runs in a row that failed. */
  declare failures: number;
  /** Failed at some time since the health of the project does. */
  declare involved: boolean;
}
