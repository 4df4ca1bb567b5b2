import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';
import type { Role } from './Membership.ts';

/** A membership that ended with the deletion of the account, as it is restored with it. */
export interface LeftTeam {
  teamId: string;
  role: Role;
  mailKinds: string[] | null;
  /** When the person joined; ISO 8601. */
  joinedAt: string;
  /** The end that the person's keys were given, by which they are found again; ISO 8601. */
  keysEndAt: string;
  /** The team had no other member: it was deleted with the account, and the membership and keys stay with it. */
  isDeleted?: boolean;
  /** An owner, or an admin where no owner is concerned, has set the role since then: see `roleOfReturn`. */
  isConfirmed?: boolean;
}

/**
 * A person who signs in. `email` is kept in lower case; until it is confirmed, `email` is the id of the
 * account, so that no mail is sent and the address stays available to its owner: see pendingAccounts.
 */
@table('users', {
  id: c.id(),
  email: c.text(),
  passwordHash: c.text(),
  totpSecret: c.optionalText(),
  totpEnabledAt: c.optionalTime(),
  totpStep: c.bigInteger(0),
  pendingEmail: c.optionalText(),
  pendingEntry: c.optionalJson(),
  deletionAt: c.optionalTime(),
  leftTeams: c.optionalJson(),
})
export class User extends Model {
  declare id: string;
  declare email: string;
  declare passwordHash: string;
  /** Encrypted. Without `totpEnabledAt` it still waits for its first code. */
  declare totpSecret: string | null;
  declare totpEnabledAt: Date | null;
  /** The time step of the last code, because each code is valid once. PostgreSQL returns it as text. */
  declare totpStep: number | string;
  /** The email address to be confirmed; null if it is confirmed. */
  declare pendingEmail: string | null;
  declare pendingEntry: { teamName: string | null; invitationHash: string | null } | null;
  /** When the account will be deleted for good; until then its person can restore it. Null for all others. */
  declare deletionAt: Date | null;
  /** What its person was a member of; null unless the account is deleted. */
  declare leftTeams: LeftTeam[] | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
