import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A mail that is waiting, was sent or has failed; its content is deleted after the last attempt. Alerts beyond the hourly
 * limit of their recipient are held: a digest summarizes them and replaces their rows.
 */
@table('mails', {
  id: c.id(),
  kind: c.text(),
  reference: c.text(),
  address: c.text(),
  userId: c.optionalText(),
  content: c.optionalText(),
  status: { ...c.text(), defaultValue: 'waiting' },
  attempts: c.integer(0),
  nextAttemptAt: c.optionalTime(),
  leaseUntil: c.optionalTime(),
  error: c.optionalText(),
  sentAt: c.optionalTime(),
})
export class Mail extends Model {
  declare id: string;
  declare kind: string;
  /** The incident and the recipient, so that each gets one mail. */
  declare reference: string;
  declare address: string;
  /** The recipient; only of alert mails. */
  declare userId: string | null;
  /** Encrypted JSON of subject, text and html. Null for alert mails, which are composed when they are sent. */
  declare content: string | null;
  declare status: 'waiting' | 'held' | 'sent' | 'failed';
  /** Incremented by each claim, to tell claims apart. */
  declare attempts: number;
  declare nextAttemptAt: Date | null;
  /** The end of the last lease. Kept after sending, to count the recent mails of a person. */
  declare leaseUntil: Date | null;
  declare error: string | null;
  declare sentAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
