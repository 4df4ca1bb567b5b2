import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A host name of a project. Domains of kind `link` serve its short links once they are verified. */
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
  managedBy: c.optionalText(),
})
export class Domain extends Model {
  declare id: string;
  declare projectId: string;
  declare hostname: string;
  declare kind: 'link' | 'web';
  declare status: 'pending' | 'verified' | 'failing';
  declare verificationToken: string;
  declare verifiedBy: 'txt' | 'dns' | 'file' | null;
  /** The problem that the last check found, as a sentence for people; null if there was none. */
  declare problem: string | null;
  /** What the last check found; null before the first check. */
  declare seen: Seen | null;
  /** Consecutive failed checks. */
  declare failures: number;
  /** Null: it is only checked on request. */
  declare nextCheckAt: Date | null;
  declare checkedAt: Date | null;
  declare verifiedAt: Date | null;
  declare rootDestination: string | null;
  declare notFoundDestination: string | null;
  declare expiredDestination: string | null;
  declare managedBy: string | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

/** What a check found at each place, stored for people to read. Null: not checked, or no response. */
export interface Seen {
  txt: string[] | null;
  /** The CNAME target. */
  alias: string[] | null;
  addresses: string[] | null;
  file: string[] | null;
  /** The name resolves to this service. */
  isRouted: boolean;
}

export const NOTHING_SEEN: Seen = { txt: null, alias: null, addresses: null, file: null, isRouted: false };

/** A record to set, or a file to serve. */
export interface VerificationRecord {
  name: string;
  type: 'TXT' | 'CNAME' | 'A' | 'AAAA' | 'FILE';
  value: string;
  /** `ownership`: proves who owns the name. `routing`: sends visitors to this service. */
  purpose: 'ownership' | 'routing';
  /** Instructions for people. */
  about: string;
  /** What the last check found there; null: not checked yet, or no response. */
  found: string[] | null;
  /** Whether the last check found the expected value. */
  isSet: boolean;
}
