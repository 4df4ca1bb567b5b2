import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import type { ImportFormat } from '../imports/formats.ts';
import { table } from './define.ts';

export type OnConflict = 'skip' | 'update' | 'fail';
export type ImportStatus = 'pending' | 'running' | 'finished' | 'failed' | 'cancelled';

/**
 * A CSV file that is made into links. `rows` is counted when it comes, the other counts grow while it runs: their sum
 * is where it stands. Whoever holds `claim` runs it; when that process dies, another may from `claimedUntil` on.
 * `breakdowns` counts runs that ended in a fault of ours since the last row that was done.
 */
@table('imports', {
  id: c.id(),
  projectId: c.text(),
  sourceFormat: c.text(),
  status: c.text(),
  dryRun: c.flag(false),
  onConflict: c.text(),
  batchId: c.text(),
  delimiter: c.text(),
  header: c.json(),
  unknownColumns: c.json(),
  message: c.optionalText(),
  rows: c.integer(),
  created: c.integer(0),
  updated: c.integer(0),
  skipped: c.integer(0),
  failed: c.integer(0),
  claim: c.optionalText(),
  claimedUntil: c.optionalTime(),
  breakdowns: c.integer(0),
  finishedAt: c.optionalTime(),
})
export class Import extends Model {
  declare id: string;
  declare projectId: string;
  declare sourceFormat: ImportFormat;
  declare status: ImportStatus;
  declare dryRun: boolean;
  declare onConflict: OnConflict;
  declare batchId: string;
  declare delimiter: string;
  declare header: string[];
  declare unknownColumns: string[];
  declare message: string | null;
  declare rows: number;
  declare created: number;
  declare updated: number;
  declare skipped: number;
  declare failed: number;
  declare claim: string | null;
  declare claimedUntil: Date | null;
  declare breakdowns: number;
  declare finishedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;

  /** Rows that are done. */
  get position(): number {
    return this.created + this.updated + this.skipped + this.failed;
  }
}
