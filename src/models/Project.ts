import { DataTypes, Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

export interface IosApp {
  platform: 'ios';
  bundle_id: string;
  team_id: string;
  app_store_id: string | null;
  scheme: string | null;
}

export interface AndroidApp {
  platform: 'android';
  package: string;
  sha256_fingerprints: string[];
  scheme: string | null;
}

/** An entry of `apps`, as stored and as in the API. */
export type App = IosApp | AndroidApp;

/** A project, which owns links, keys, tags and webhooks. Queries find deleted ones through `Project.unscoped()` only. */
@table(
  'projects',
  {
    id: c.id(),
    teamId: c.text(),
    name: c.text(),
    defaultDomain: c.optionalText(),
    matchWindowSeconds: c.integer(3600),
    probabilisticMatching: c.flag(true),
    maxEventValue: { type: DataTypes.DOUBLE, allowNull: false, defaultValue: 1_000_000 },
    health: { ...c.text(), defaultValue: 'unknown' },
    apps: c.json(),
    deletionAt: c.optionalTime(),
    purgeBeganAt: c.optionalTime(),
    deletedWithTeam: c.flag(false),
  },
  { defaultScope: { where: { deletionAt: null } } },
)
export class Project extends Model {
  declare id: string;
  declare teamId: string;
  declare name: string;
  declare defaultDomain: string | null;
  declare matchWindowSeconds: number;
  declare probabilisticMatching: boolean;
  declare maxEventValue: number;
  declare health: 'passing' | 'failing' | 'unknown';
  declare apps: App[];
  /** When it is deleted for good; null while nobody has deleted it. */
  declare deletionAt: Date | null;
  /** When its purge began: since then it cannot be restored, whatever `deletionAt` says. */
  declare purgeBeganAt: Date | null;
  /** It was deleted with its team, and comes back with it. */
  declare deletedWithTeam: boolean;
  declare createdAt: Date;
  declare updatedAt: Date;
}
