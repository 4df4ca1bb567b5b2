import { type InferAttributes, Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/** The dimensions of app figures, taken from the click that led to the app, otherwise from its link; see analytics. */
export interface Origin {
  referrerHost: string | null;
  destination: string | null;
  rule: string | null;
  utm: Record<string, string | null> | null;
  /** The tags of the link at the time of the open. */
  tagIds: string[];
}

/**
 * An app on a device. `installId` is the UUID that its SDK generated. `installedAt` is null if the app was installed before
 * it had the SDK. `firstOpenId` and `firstOpenAt` identify the latest first open, whose response is repeated. For a while
 * after `attributedAt`, events are attributed to the link.
 */
@table('installs', {
  id: c.id(),
  projectId: c.text(),
  installId: c.text(),
  platform: c.text(),
  appVersion: c.optionalText(),
  osVersion: c.optionalText(),
  device: c.optionalText(),
  language: c.optionalText(),
  firstOpenedAt: c.time(),
  installedAt: c.optionalTime(),
  method: { ...c.text(), defaultValue: 'none' },
  confidence: c.integer(0),
  factors: c.json(),
  clickedAt: c.optionalTime(),
  clickId: c.optionalText(),
  linkId: c.optionalText(),
  attributedAt: c.optionalTime(),
  matchRevisedAt: c.optionalTime(),
  firstOpenId: c.optionalText(),
  firstOpenAt: c.optionalTime(),
  domain: c.optionalText(),
  slug: c.optionalText(),
  origin: c.optionalJson(),
})
export class Install extends Model {
  declare id: string;
  declare projectId: string;
  declare installId: string;
  declare platform: 'ios' | 'android' | 'web';
  declare appVersion: string | null;
  declare osVersion: string | null;
  /** The dimensions in figures. */
  declare device: string | null;
  declare language: string | null;
  declare firstOpenedAt: Date;
  declare installedAt: Date | null;
  declare method: 'link' | 'referrer' | 'clipboard' | 'probabilistic' | 'none';
  declare confidence: number;
  declare factors: { name: string; points: number }[];
  declare clickedAt: Date | null;
  declare clickId: string | null;
  declare linkId: string | null;
  declare attributedAt: Date | null;
  /** When a probabilistic match was revoked. */
  declare matchRevisedAt: Date | null;
  declare firstOpenId: string | null;
  declare firstOpenAt: Date | null;
  declare domain: string | null;
  declare slug: string | null;
  declare origin: Origin | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}

/** The columns of an install. */
export type InstallColumns = InferAttributes<Install>;
