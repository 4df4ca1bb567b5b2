import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import type { Queue } from '../webhooks/queue.ts';
import { table } from './define.ts';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/**
 * One event on its way to one webhook; owns the schedule. `attemptCount` counts finished attempts, `manualAttempts` those
 * of them that were asked for by hand, `resends` those that are still to be made. `dueAt` is when something is to be
 * sent next, in `queue` (see webhooks/queue); while a process has it in hand, `claim` is that process's word for it, and
 * `dueAt` when others may take it for dead. `eventAt`: when the event was raised.
 */
@table('deliveries', {
  id: c.id(),
  webhookId: c.text(),
  projectId: c.optionalText(),
  eventId: c.text(),
  eventType: c.text(),
  eventAt: c.optionalTime(),
  isTest: c.flag(false),
  status: { ...c.text(), defaultValue: 'pending' },
  attemptCount: c.integer(0),
  manualAttempts: c.integer(0),
  resends: c.integer(0),
  nextAttemptAt: c.optionalTime(),
  queue: c.integer(1),
  dueAt: c.optionalTime(),
  claim: c.optionalText(),
  requestBody: c.text(),
})
export class Delivery extends Model {
  declare id: string;
  declare webhookId: string;
  declare projectId: string | null;
  declare eventId: string;
  declare eventType: string;
  declare eventAt: Date | null;
  declare isTest: boolean;
  declare status: DeliveryStatus;
  declare attemptCount: number;
  declare manualAttempts: number;
  declare resends: number;
  declare nextAttemptAt: Date | null;
  declare queue: Queue;
  declare dueAt: Date | null;
  declare claim: string | null;
  declare requestBody: string;
  declare createdAt: Date;
  declare updatedAt: Date;
}
