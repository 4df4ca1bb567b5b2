import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** A key of one project. `hash` is the SHA-256 of the key; only publishable keys can be read again. */
@table('api_keys', {
  id: c.id(),
  projectId: c.text(),
  createdBy: c.optionalText(),
  kind: c.text(),
  name: c.text(),
  scopes: c.json(),
  hash: c.text(),
  publishableKey: c.optionalText(),
  lastFour: c.text(),
  lastUsedAt: c.optionalTime(),
  expiresAt: c.optionalTime(),
  revokedAt: c.optionalTime(),
  revokeAt: c.optionalTime(),
})
export class ApiKey extends Model {
  declare id: string;
  declare projectId: string;
  declare createdBy: string | null;
  declare kind: 'secret' | 'publishable';
  declare name: string;
  declare scopes: string[];
  declare hash: string;
  declare publishableKey: string | null;
  declare lastFour: string;
  declare lastUsedAt: Date | null;
  declare expiresAt: Date | null;
  declare revokedAt: Date | null;
  /** When it expires because its creator has left the team. */
  declare revokeAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;

  /** When it ends or ended, for any reason; null: never. */
  get endsAt(): Date | null {
    const ends = [this.expiresAt, this.revokedAt, this.revokeAt].filter((end) => end !== null);
    return ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())));
  }
}
