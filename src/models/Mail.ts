import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

/**
 * A mail that waits, was sent or was given up; its content is deleted with the end of waiting. An alert is held that
 * comes when its person got enough of them: it is told in a mail with others, which takes the place of these rows.
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
  /** Names the incident and whom it is for: there is one mail of it. */
  declare reference: string;
  declare address: string;
  /** Of alerts alone: whom it is for. */
  declare userId: string | null;
  /** Sealed JSON of subject, text and html; of an alert none, it is written when it is sent. */
  declare content: string | null;
  declare status: 'waiting' | 'held' | 'sent' | 'failed';
  /** Grows with each claim, so that it tells them apart. */
  declare attempts: number;
  declare nextAttemptAt: Date | null;
  /** When others may take it, of the last claim; it stays, so that it is known how many a person got lately. */
  declare leaseUntil: Date | null;
  declare error: string | null;
  declare sentAt: Date | null;
  declare createdAt: Date;
  declare updatedAt: Date;
}
