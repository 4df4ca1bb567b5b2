import { Model } from 'sequelize';
import * as c from '../db/columns.ts';
import { table } from './define.ts';
import type { Queue } from './queue.ts';

export type DeliveryStatus = 'pending' | 'succeeded' | 'failed' | 'cancelled';

/**
 * The delivery of one event to one webhook, or of a batch of events, with its schedule. A batch has the type `batch`, and its
 * own id as `eventId`; the table `batched_events` has its events. `attemptCount` counts finished attempts, `manualAttempts`
 * those among them that were requested by hand, `resends` requested attempts that are still to be made. `dueAt` is the time
 * of the next attempt, in `queue` (see models/queue.ts). While a process works on the delivery, `claim` identifies that
 * claim, and `dueAt` is the end of its lease. `eventAt` is when the event was recorded; for a batch, its newest event.
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
  requestBody: c.optionalText(),
  eventCount: c.integer(1),
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
  /** Of deliveries that were made before bodies followed from events; otherwise null, or empty: see deliveryBodies. */
  declare requestBody: string | null;
  /** More than one only in a batch. */
  declare eventCount: number;
  declare createdAt: Date;
  declare updatedAt: Date;
}
