import { dialect } from '../../db/connection/database.ts';
import { sqlTime, withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { randomToken } from '../../kernel/secrets.ts';
import { QUEUE, type Queue } from '../../models/queue.ts';
import { MOST_IN_FLIGHT } from '../../models/Webhook.ts';
import { bodiesOf, isBatch } from '../deliveryBodies.ts';

/** What a worker may get of one queue of its webhook. */
export interface Wanted {
  webhookId: string;
  leaseId: string;
  queue: Queue;
  wanted: number;
  isProbe: boolean;
  /** Of the webhook. */
  generation: number;
}

/** A delivery that a worker has in hand. */
export interface ClaimedDelivery {
  id: string;
  webhookId: string;
  eventId: string;
  eventType: string;
  projectId: string | null;
  isTest: boolean;
  attemptCount: number;
  /** Null for a batch, whose body is read when it is sent: see deliveryBodies. */
  requestBody: string | null;
  /** Asked for by hand. */
  manual: boolean;
  isProbe: boolean;
  queue: Queue;
  /** Identifies this claim: an outcome with another one comes too late. */
  claim: string;
  /** Of the webhook when the delivery was claimed. */
  generation: number;
  /** By `performance.now()`. */
  claimedAtMs: number;
}

/** Claimed ahead at most, of a receiver that is faster than our trips to the store. */
export const MOST_AHEAD = 20;

/** Most that a worker gets in one sync: as many as may be in flight, and what it claims ahead. */
const MOST = MOST_IN_FLIGHT + MOST_AHEAD;
/** The same of most workers, where the number stands in the text of the statement. */
const MOST_OFTEN = 40;

/** Beyond the deadline of a request: time to record the outcome before other processes may take this one for dead. */
const CLAIM_MARGIN_SECONDS = 20;

/** How long after the end of a deletion its deliveries would be due, if their project was restored in vain for them. */
const PUT_OFF_MS = 3_600_000;

/**
 * Claims for each worker what is due: queues with a smaller number first, and in each the longest due first. What is about a
 * deleted project is put off instead until `releasePutOff`, so that nobody passes it again and again. `versions`: the API
 * versions of the webhooks, by their ids.
 */
export async function claimDeliveries(
  wanted: Wanted[],
  versions: Map<string, string>,
  transaction: Transaction,
): Promise<Map<string, ClaimedDelivery[]>> {
  const all = await findDue(wanted, transaction);
  await putOff(all, transaction);
  const found = Map.groupBy(
    all.filter(({ deletion_at }) => deletion_at === null),
    ({ webhook_id }) => webhook_id,
  );
  const chosen = [...Map.groupBy(wanted, ({ webhookId }) => webhookId)].flatMap(([webhookId, queues]) =>
    choose(queues, found.get(webhookId) ?? []),
  );
  const taken = await withBodies(await markClaimed(chosen, transaction), versions, transaction);
  const order = new Map(chosen.map(({ id }, at) => [id, at]));
  taken.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  return Map.groupBy(taken, ({ webhookId }) => webhookId);
}

interface DueRow {
  id: string;
  webhook_id: string;
  queue: number;
  due_at: string | Date;
  /** Of its project. */
  deletion_at: string | Date | null;
}

const COLUMNS = { webhook_id: 'text', queue: 'integer', wanted: 'integer' } as const;

function deletionOf(deliveries: string): string {
  return `(SELECT deletion_at FROM projects WHERE projects.id = ${deliveries}.project_id) AS deletion_at`;
}

/** In each of these queues of these webhooks the first that are due; on SQLite so many of all of them. */
const FIRST_DUE = {
  postgres: () => `SELECT due.* FROM given CROSS JOIN LATERAL (
      SELECT id, webhook_id, queue, due_at, ${deletionOf('deliveries')} FROM deliveries
      WHERE webhook_id = given.webhook_id AND queue = given.queue AND due_at <= $2
      ORDER BY due_at, id LIMIT given.wanted) AS due`,
  sqlite: (
    most: number,
  ) => `SELECT found.id, found.webhook_id, found.queue, found.due_at, ${deletionOf('found')} FROM given CROSS JOIN deliveries AS found
    WHERE found.id IN (
      SELECT id FROM deliveries AS due
      WHERE due.webhook_id = given.webhook_id AND due.queue = given.queue AND due.due_at <= $2
      ORDER BY due.due_at, due.id LIMIT ${most})`,
};

function findDue(wanted: Wanted[], transaction: Transaction): Promise<DueRow[]> {
  const rows = wanted.map((one) => [one.webhookId, one.queue, Math.min(one.wanted, MOST)]);
  const most = wanted.every((one) => one.wanted <= MOST_OFTEN) ? MOST_OFTEN : MOST;
  return withJsonRows<DueRow>(COLUMNS, rows, FIRST_DUE[dialect()](most), transaction, [sqlTime(clock.now())]);
}

async function putOff(due: DueRow[], transaction: Transaction): Promise<void> {
  const rows = due.flatMap(({ id, deletion_at }) =>
    deletion_at === null ? [] : [[id, sqlTime(Math.max(clock.now(), new Date(deletion_at).getTime()) + PUT_OFF_MS)]],
  );
  await withJsonRows(
    { id: 'text', due_at: 'time' },
    rows,
    'UPDATE deliveries SET due_at = given.due_at FROM given WHERE deliveries.id = given.id AND deliveries.due_at <= $2',
    transaction,
    [sqlTime(clock.now())],
  );
}

/** Deliveries asked for by hand do not count as the probe; otherwise the queues share what is wanted. */
function choose(queues: Wanted[], found: DueRow[]): Chosen[] {
  const sorted = found.sort(
    (one, other) => one.queue - other.queue || new Date(one.due_at).getTime() - new Date(other.due_at).getTime(),
  );
  const most = Math.max(...queues.map(({ wanted }) => wanted));
  let held = 0;
  const chosen: Chosen[] = [];
  for (const { id, queue } of sorted) {
    const from = queues.find((one) => one.queue === queue);
    if (!from || chosen.length === most) break;
    if (queue !== QUEUE.byHand && held++ >= from.wanted) break;
    chosen.push({ id, leaseId: from.leaseId, isProbe: from.isProbe, generation: from.generation });
  }
  return chosen;
}

interface Chosen {
  id: string;
  leaseId: string;
  isProbe: boolean;
  generation: number;
}

interface ClaimedRow {
  id: string;
  webhook_id: string;
  event_id: string;
  event_type: string;
  project_id: string | null;
  is_test: boolean | number;
  attempt_count: number;
  resends: number;
  request_body: string | null;
  queue: Queue;
  claim: string;
}

async function markClaimed(chosen: Chosen[], transaction: Transaction): Promise<ClaimedDelivery[]> {
  const claim = randomToken(9);
  const nowMs = clock.now();
  const end = sqlTime(nowMs + (config.webhookTimeoutSeconds + CLAIM_MARGIN_SECONDS) * 1000);
  const rows = await withJsonRows<ClaimedRow>(
    { given_id: 'text', given_claim: 'text' },
    chosen.map(({ id, leaseId }) => [id, `${leaseId}.${claim}`]),
    `UPDATE deliveries SET claim = given.given_claim, due_at = $2 FROM given
     WHERE deliveries.id = given.given_id AND due_at <= $3
     RETURNING id, webhook_id, event_id, event_type, project_id, is_test, attempt_count, resends, request_body, queue, claim`,
    transaction,
    [end, sqlTime(nowMs)],
  );
  const choices = new Map(chosen.map((choice) => [choice.id, choice]));
  return rows.map((row) => ({
    id: row.id,
    webhookId: row.webhook_id,
    eventId: row.event_id,
    eventType: row.event_type,
    projectId: row.project_id,
    isTest: Boolean(row.is_test),
    attemptCount: row.attempt_count,
    requestBody: row.request_body || null,
    manual: row.resends > 0,
    isProbe: choices.get(row.id)?.isProbe === true && row.queue !== QUEUE.byHand,
    generation: choices.get(row.id)?.generation ?? 0,
    queue: row.queue,
    claim: row.claim,
    claimedAtMs: performance.now(),
  }));
}

/** With the bodies of all but batches: a worker may claim a hundred of those ahead, with a megabyte each. */
async function withBodies(
  claimed: ClaimedDelivery[],
  versions: Map<string, string>,
  transaction: Transaction,
): Promise<ClaimedDelivery[]> {
  const single = claimed.filter((delivery) => !isBatch(delivery));
  const bodies = await bodiesOf(single, { transaction, versions });
  return claimed.map((delivery) => ({ ...delivery, requestBody: bodies.get(delivery.id) ?? null }));
}
