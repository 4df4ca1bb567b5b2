import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

const part = () => ({ ...c.text(), primaryKey: true });

/** The reported state of a health check of a project. */
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
  /** Null: nothing has been reported yet. */
  declare since: Date | null;
  /** Consecutive failed runs. */
  declare failures: number;
  /** It has failed at some time since the project became unhealthy. */
  declare involved: boolean;
}

/** A health check as the API reports it. */
export interface CheckFacts {
  name: string;
  status: 'pass' | 'warn' | 'fail' | 'skip';
  /** The finding, and what to do about it. */
  message: string;
  /** Since when it has this status; null before the first run. */
  since: Date | null;
}
