import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';
import type { Role } from './Membership.ts';

/** An invitation to join a team. Only the SHA-256 of the token in the mail is stored. */
@table('invitations', {
  id: c.id(),
  teamId: c.text(),
  email: c.text(),
  role: c.text(),
  tokenHash: c.text(),
  invitedBy: c.optionalText(),
  expiresAt: c.time(),
  acceptedAt: c.optionalTime(),
  revokedAt: c.optionalTime(),
})
export class Invitation extends Model {
  declare id: string;
  declare teamId: string;
  declare email: string;
  declare role: Role;
  declare tokenHash: string;
  declare invitedBy: string | null;
  declare expiresAt: Date;
  declare acceptedAt: Date | null;
  /** When it was withdrawn, or replaced by another one for the same person. */
  declare revokedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
