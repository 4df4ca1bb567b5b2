import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import type { Seen } from '../domains/Finding.ts';
import { table } from './define.ts';

/** A hostname of a project: `link` ones serve its short links once they are verified. */
@table('domains', {
  id: c.id(),
  projectId: c.text(),
  hostname: c.text(),
  kind: c.text(),
  status: { ...c.text(), defaultValue: 'pending' },
  verificationToken: { ...c.text(), defaultValue: '' },
  verifiedBy: c.optionalText(),
  problem: c.optionalText(),
  seen: c.optionalJson(),
  failures: c.integer(0),
  nextCheckAt: c.optionalTime(),
  checkedAt: c.optionalTime(),
  verifiedAt: c.optionalTime(),
  rootDestination: c.optionalText(),
  notFoundDestination: c.optionalText(),
  expiredDestination: c.optionalText(),
})
export class Domain extends Model {
  declare id: string;
  declare projectId: string;
  declare hostname: string;
  declare kind: 'link' | 'web';
  declare status: 'pending' | 'verified' | 'failing';
  declare verificationToken: string;
  declare verifiedBy: 'txt' | 'dns' | 'file' | null;
  /** What the last look found, for people to read; null: nothing is wrong. */
  declare problem: string | null;
  /** What the last look saw; null: nobody has looked. */
  declare seen: Seen | null;
  /** Looks in a row that failed. */
  declare failures: number;
  /** Null: it is looked at on request alone. */
  declare nextCheckAt: Date | null;
  declare checkedAt: Date | null;
  declare verifiedAt: Date | null;
  declare rootDestination: string | null;
  declare notFoundDestination: string | null;
  declare expiredDestination: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
