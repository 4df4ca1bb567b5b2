import { raiseAlert } from '../../alerts/raiseAlert.ts';
import { among, amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock, now } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { newId } from '../../kernel/ids.ts';
import type { Webhook } from '../../models/Webhook.ts';
import type { MadeAttempt } from '../attempt.ts';
import { type DeliveryState, due, isOurFault, type OurFault, outcome, type SettledState } from '../outcome.ts';
import type { Queue } from '../queue.ts';
import type { Claimed } from './claimDue.ts';
import { disabledAlert } from './disabledAlert.ts';
import { judgeAll } from './judge.ts';
import type { Turn } from './turn.ts';

/** An attempt that has ended. */
export interface Finished {
  delivery: Claimed;
  at: Date;
  result: MadeAttempt | OurFault;
}

/**
 * Writes down what came of attempts: their log, the state of their deliveries, and in `webhooks` the health of their
 * receivers; one that is switched off by it is told of. What was claimed by others meanwhile is theirs.
 */
export async function settle(turns: Turn[], webhooks: Map<string, Webhook>, transaction: Transaction): Promise<void> {
  const finished = turns.flatMap((turn) => turn.finished);
  const returned = turns.flatMap((turn) => turn.returned);
  const stored = await readStates([...finished.map(({ delivery }) => delivery), ...returned], transaction);
  // Not by the id alone: a lane whose claim ended may have claimed the same delivery again.
  const stateFor = ({ id, claim }: Claimed) => {
    const found = stored.get(id);
    return found?.claim === claim ? found.state : null;
  };
  const options = { gaps: config.webhookRetrySeconds, nowMs: clock.now(), random: Math.random };
  const settled: [string, SettledState][] = [];
  const made: Made[] = [];
  for (const { delivery, at, result } of finished) {
    const state = stateFor(delivery);
    const webhook = webhooks.get(delivery.webhookId);
    if (!state || !webhook) continue;
    const next = outcome(state, { manual: delivery.manual, result }, options);
    settled.push([delivery.id, next]);
    if (!isOurFault(result)) made.push({ delivery, number: next.attemptCount, at, result });
    Object.assign(webhook, judgeAll(webhook, [{ delivery, at, result }]));
  }
  for (const delivery of returned) {
    const state = stateFor(delivery);
    if (state) settled.push([delivery.id, due(state, options)]);
  }
  await writeDeliveries(settled, transaction);
  await writeAttempts(made, transaction);
  for (const webhook of webhooks.values()) await tellOfSwitchedOff(webhook, transaction);
}

async function tellOfSwitchedOff(webhook: Webhook, transaction: Transaction): Promise<void> {
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
async function readStates(deliveries: Claimed[], transaction: Transaction) {
  if (deliveries.length === 0) return new Map<string, { claim: string | null; state: DeliveryState }>();
  const rows = await selectBound<StoredState>(
    `SELECT id, claim, status, attempt_count, manual_attempts, resends, next_attempt_at, is_test, queue FROM deliveries
     WHERE ${among('id', '$1')}${dialect() === 'postgres' ? ' ORDER BY id FOR NO KEY UPDATE' : ''}`,
    [amongValue([...new Set(deliveries.map(({ id }) => id))])],
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

const DELIVERY_COLUMNS = {
  id: 'text',
  status: 'text',
  attempt_count: 'integer',
  manual_attempts: 'integer',
  resends: 'integer',
  next_attempt_at: 'time',
  queue: 'integer',
  due_at: 'time',
} as const;

async function writeDeliveries(settled: [string, SettledState][], transaction: Transaction): Promise<void> {
  const time = (at: Date | null) => (at === null ? null : sqlTime(at.getTime()));
  await withJsonRows(
    DELIVERY_COLUMNS,
    settled.map(([id, state]) => [
      id,
      state.status,
      state.attemptCount,
      state.manualAttempts,
      state.resends,
      time(state.nextAttemptAt),
      state.queue,
      time(state.dueAt),
    ]),
    `UPDATE deliveries SET status = given.status, attempt_count = given.attempt_count,
       manual_attempts = given.manual_attempts, resends = given.resends, next_attempt_at = given.next_attempt_at,
       queue = given.queue, due_at = given.due_at, claim = NULL, updated_at = $2
     FROM given WHERE deliveries.id = given.id`,
    transaction,
    [sqlTime(clock.now())],
  );
}

interface Made {
  delivery: Claimed;
  number: number;
  at: Date;
  result: MadeAttempt;
}

const ATTEMPT_COLUMNS = {
  id: 'text',
  delivery_id: 'text',
  number: 'integer',
  at: 'time',
  manual: 'flag',
  duration_ms: 'integer',
  status_code: 'integer',
  response_headers: 'json',
  response_body: 'text',
  error: 'text',
  url: 'text',
  signature: 'text',
} as const;
const ATTEMPT_NAMES = Object.keys(ATTEMPT_COLUMNS).join(', ');

async function writeAttempts(made: Made[], transaction: Transaction): Promise<void> {
  await withJsonRows(
    ATTEMPT_COLUMNS,
    made.map(({ delivery, number, at, result }) => [
      newId('att'),
      delivery.id,
      number,
      sqlTime(at.getTime()),
      delivery.manual,
      result.durationMs,
      result.statusCode,
      result.responseHeaders === null ? null : JSON.stringify(result.responseHeaders),
      result.responseBody,
      result.error,
      result.url,
      result.signature,
    ]),
    `INSERT INTO attempts (${ATTEMPT_NAMES}) SELECT ${ATTEMPT_NAMES} FROM given`,
    transaction,
  );
}
