import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/**
 * One event on its way to one webhook; owns the schedule. `attemptCount` counts finished attempts.
 * `claimedUntil`: a process is sending it; `jobId`: the job that will.
 */
@table('deliveries', {
  id: c.id(),
  webhookId: c.text(),
  projectId: c.optionalText(),
  eventId: c.text(),
  eventType: c.text(),
  status: { ...c.text(), defaultValue: 'pending' },
  attemptCount: c.integer(0),
  nextAttemptAt: c.optionalTime(),
  claimedUntil: c.optionalTime(),
  jobId: c.optionalText(),
  requestBody: c.text(),
})
export class Delivery extends Model {
  declare id: string;
  declare webhookId: string;
  declare projectId: string | null;
  declare eventId: string;
  declare eventType: string;
  declare status: DeliveryStatus;
  declare attemptCount: number;
  declare nextAttemptAt: Date | null;
  declare claimedUntil: Date | null;
  declare jobId: string | null;
  declare requestBody: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}
