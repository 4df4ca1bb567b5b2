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

/** A project, which owns links, keys, tags and webhooks. */
@table('projects', {
  id: c.id(),
  teamId: c.text(),
  name: c.text(),
  defaultDomain: c.optionalText(),
  matchWindowSeconds: c.integer(3600),
  probabilisticMatching: c.flag(true),
  maxEventValue: { type: DataTypes.DOUBLE, allowNull: false, defaultValue: 1_000_000 },
  health: { ...c.text(), defaultValue: 'unknown' },
  apps: c.json(),
})
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
  declare createdAt: Date;
  declare updatedAt: Date;
}
