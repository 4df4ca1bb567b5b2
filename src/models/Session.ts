import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A session. Only the SHA-256 of the token in its cookie is stored. */
@table('sessions', {
  tokenHash: c.id(),
  userId: c.text(),
  expiresAt: c.time(),
  userAgent: c.optionalText(),
  lastUsedAt: c.optionalTime(),
})
export class Session extends Model {
  declare tokenHash: string;
  declare userId: string;
  declare expiresAt: Date;
  declare userAgent: string | null;
  /** The last use, accurate to a minute. */
  declare lastUsedAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
