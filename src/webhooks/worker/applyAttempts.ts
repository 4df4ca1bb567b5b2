import { raiseAlert } from '../../alerts/raiseAlert.ts';
import { inList, inListValue, rowLock } from '../../db/dialects.ts';
import { queryRaw } from '../../db/query.ts';
import { insertRows, updateRows } from '../../db/rows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { newId } from '../../kernel/ids.ts';
import { Attempt } from '../../models/Attempt.ts';
import { Delivery } from '../../models/Delivery.ts';
import type { Queue } from '../../models/queue.ts';
import type { Webhook } from '../../models/Webhook.ts';
import {
  type DeliveryState,
  decideOutcome,
  isOurFault,
  type MadeAttempt,
  type OurFault,
  type ScheduledState,
  withDueTime,
} from '../decideOutcome.ts';
import type { ClaimedDelivery } from './claimDeliveries.ts';
import { decideHealth } from './decideHealth.ts';
import { disabledAlert } from './disabledAlert.ts';
import type { WorkerState } from './syncWorker.ts';

/** An attempt that has ended. */
export interface FinishedAttempt {
  delivery: ClaimedDelivery;
  at: Date;
  result: MadeAttempt | OurFault;
}

/**
 * Records the outcomes of attempts: their log, the state of their deliveries, and in `webhooks` the health of their
 * receivers, with an alert for each that is switched off by it. A delivery that was claimed again meanwhile is left alone.
 */
export async function applyAttempts(
  states: WorkerState[],
  webhooks: Map<string, Webhook>,
  transaction: Transaction,
): Promise<void> {
  const finished = states.flatMap((state) => state.finished);
  const returned = states.flatMap((state) => state.returned);
  const stored = await readStates([...finished.map(({ delivery }) => delivery), ...returned], transaction);
  // Not by the id alone: a worker whose claim ended may have claimed the same delivery again.
  const stateFor = ({ id, claim }: ClaimedDelivery) => {
    const found = stored.get(id);
    return found?.claim === claim ? found.state : null;
  };
  const options = { gaps: config.webhookRetrySeconds, nowMs: clock.now(), random: Math.random };
  const settled: [string, ScheduledState][] = [];
  const made: Made[] = [];
  for (const { delivery, at, result } of finished) {
    const state = stateFor(delivery);
    const webhook = webhooks.get(delivery.webhookId);
    if (!state || !webhook) continue;
    const next = decideOutcome(state, { manual: delivery.manual, result }, options);
    settled.push([delivery.id, next]);
    if (!isOurFault(result)) made.push({ delivery, number: next.attemptCount, at, result });
    Object.assign(webhook, decideHealth(webhook, [{ delivery, at, result }]));
  }
  for (const delivery of returned) {
    const state = stateFor(delivery);
    if (state) settled.push([delivery.id, withDueTime(state, options)]);
  }
  await writeDeliveries(settled, transaction);
  await writeAttempts(made, transaction);
  for (const webhook of webhooks.values()) await raiseDisabledAlert(webhook, transaction);
}

async function raiseDisabledAlert(webhook: Webhook, transaction: Transaction): Promise<void> {
  // What `afterAttempt` has switched off has no moment yet at which that happened.
  if (webhook.status !== 'disabled' || webhook.disabledAt !== null) return;
  Object.assign(webhook, { disabledAt: now() });
  await raiseAlert(transaction, disabledAlert(webhook));
}

interface StoredState {
  id: string;
  claim: string | null;
  status: DeliveryState['status'];
  attempt_count: number;
  manual_attempts: number;
  resends: number;
  next_attempt_at: string | Date | null;
  is_test: boolean | number;
  queue: Queue;
}

/** States and claims as they are stored, by the ids. */
async function readStates(deliveries: ClaimedDelivery[], transaction: Transaction) {
  if (deliveries.length === 0) return new Map<string, { claim: string | null; state: DeliveryState }>();
  const rows = await queryRaw<StoredState>(
    `SELECT id, claim, status, attempt_count, manual_attempts, resends, next_attempt_at, is_test, queue FROM deliveries
     WHERE ${inList('id', '$1')} ORDER BY id ${rowLock('FOR NO KEY UPDATE')}`,
    [inListValue([...new Set(deliveries.map(({ id }) => id))])],
    transaction,
  );
  return new Map(rows.map((row) => [row.id, { claim: row.claim, state: stateOf(row) }]));
}

function stateOf(row: StoredState): DeliveryState {
  return {
    status: row.status,
    attemptCount: row.attempt_count,
    manualAttempts: row.manual_attempts,
    resends: row.resends,
    nextAttemptAt: row.next_attempt_at === null ? null : new Date(row.next_attempt_at),
    isTest: Boolean(row.is_test),
    queue: row.queue,
  };
}

async function writeDeliveries(settled: [string, ScheduledState][], transaction: Transaction): Promise<void> {
  const rows = settled.map(([id, { status, attemptCount, manualAttempts, resends, nextAttemptAt, queue, dueAt }]) => ({
    ...{ id, status, attemptCount, manualAttempts, resends, nextAttemptAt, queue, dueAt },
  }));
  await updateRows(Delivery, rows, { claim: null, updatedAt: now() }, transaction);
}

interface Made {
  delivery: ClaimedDelivery;
  number: number;
  at: Date;
  result: MadeAttempt;
}

async function writeAttempts(made: Made[], transaction: Transaction): Promise<void> {
  const rows = made.map(({ delivery, number, at, result }) => {
    const { durationMs, statusCode, responseHeaders, responseBody, error, url, signature } = result;
    const response = { statusCode, responseHeaders, responseBody, error };
    return {
      ...{ id: newId('att'), deliveryId: delivery.id, number, at, manual: delivery.manual, durationMs },
      ...{ ...response, url, signature },
    };
  });
  await insertRows(Attempt, rows, { transaction });
}
