import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

export type OnConflict = 'skip' | 'update' | 'fail';
export type ImportStatus = 'pending' | 'running' | 'finished' | 'failed' | 'cancelled';

/**
 * An import of links from a CSV file. `rows` is counted at the upload; the other counts grow during the run, and their sum is
 * the number of processed rows. The process with `claim` runs it; if that process dies, another one may claim the import
 * after `claimedUntil`. `breakdowns` counts runs since the last processed row that ended with an internal error.
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

  /** Rows that have been processed. */
  get position(): number {
    return this.created + this.updated + this.skipped + this.failed;
  }
}

/** The file formats of imports: our own export, and those of other services. */
export type ImportFormat = 'svc' | 'bitly' | 'dub' | 'short_io' | 'rebrandly' | 'firebase' | 'branch';
