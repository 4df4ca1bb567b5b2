import { inList, inListValue, limitInOrder, rowLock } from '../../db/dialects.ts';
import { groupCommit } from '../../db/groupCommit.ts';
import { isLeaseOver } from '../../db/lease.ts';
import { queryRaw } from '../../db/query.ts';
import { readRows } from '../../db/rows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import { QUEUE } from '../../models/queue.ts';
import { Webhook } from '../../models/Webhook.ts';
import { mayGo } from '../decideCircuit.ts';
import { applyAttempts, type FinishedAttempt } from './applyAttempts.ts';
import { type ClaimedDelivery, claimDeliveries, type Wanted } from './claimDeliveries.ts';
import { formBatches } from './formBatches.ts';
import { LIVE_WEBHOOK, leaseEnd, WEBHOOK_LEASES, writeWebhooks } from './webhookLeases.ts';

/** What a worker hands in and asks for: see `syncWorker`. */
export interface WorkerState {
  webhookId: string;
  /** Identifies this run of the worker; every run has its own. */
  leaseId: string;
  finished: FinishedAttempt[];
  /** Claimed deliveries that it did not send: they are given back. */
  returned: ClaimedDelivery[];
  /** How many more it can send now. */
  wanted: number;
  /** Requests in flight that an open circuit would hold. */
  inFlight: number;
  /** Whether the lease is released: not at all, when nothing is due, or in any case. */
  release: 'no' | 'when_idle' | 'now';
}

export interface SyncResult {
  /** Null when it was deleted, alone or with its project or team, or another process has its lease: nothing more may be sent. */
  webhook: Webhook | null;
  claimed: ClaimedDelivery[];
  /** When something is due next, as far as is known; null: never. */
  nextDueAt: Date | null;
  /** The lease is released. */
  isOver: boolean;
}

/**
 * A worker's trip to the store: records the outcomes of its attempts, renews its lease and claims what it sends next. The
 * workers of a process share a transaction. What an attempt changed commits before anything is sent because of it.
 */
export const syncWorker = groupCommit(syncWorkers, { inIndexOrder: true });

async function syncWorkers(states: WorkerState[], transaction: Transaction): Promise<SyncResult[]> {
  const webhooks = await lockWebhooks(states, transaction);
  const mine = (state: WorkerState) => {
    const webhook = webhooks.get(state.webhookId);
    return webhook?.isLive && isHoldable(webhook, state.leaseId) ? webhook : null;
  };
  const before = new Map([...webhooks].map(([id, webhook]) => [id, { ...webhook.get() }]));
  await applyAttempts(states, webhooks, transaction);
  const ripeMs = await formAll(
    states.flatMap((state) => (state.wanted > 0 ? (mine(state) ?? []) : [])),
    transaction,
  );
  const wanted = states.flatMap((state) => wantedBy(state, mine(state)));
  const versions = new Map([...webhooks].map(([id, { apiVersion }]) => [id, apiVersion]));
  const claimed = await claimDeliveries(wanted, versions, transaction);
  const idle = states.filter((state) => mine(state) && (claimed.get(state.webhookId)?.length ?? 0) < state.wanted);
  const due = await nextDue(
    idle.map(({ webhookId }) => webhookId),
    transaction,
  );
  const results = states.map((state): SyncResult => {
    const webhook = mine(state);
    if (!webhook) return { webhook: null, claimed: [], nextDueAt: null, isOver: true };
    const given = claimed.get(state.webhookId) ?? [];
    const hasMore = given.length === state.wanted;
    const next = nextOf(webhook, { due: due.get(state.webhookId), ripeMs: ripeMs.get(state.webhookId), hasMore });
    const isIdle = given.length === 0 && !(next && next.getTime() <= clock.now());
    const isOver = state.release === 'now' || (state.release === 'when_idle' && isIdle);
    renewLease(webhook, state.leaseId, isOver);
    return { webhook, claimed: given, nextDueAt: next, isOver };
  });
  await writeWebhooks([...webhooks.values()], before, transaction);
  return results;
}

/** `isLive`: its project and team are not deleted. Otherwise it gets nothing more to send, but what it has sent is recorded. */
type LockedWebhook = Webhook & { isLive: boolean | number };

async function lockWebhooks(states: WorkerState[], transaction: Transaction): Promise<Map<string, LockedWebhook>> {
  const ids = states.map(({ webhookId }) => webhookId);
  const condition = `${inList('id', '$1')} AND deleted_at IS NULL ORDER BY id ${rowLock('FOR NO KEY UPDATE')}`;
  const found = (await readRows(Webhook, condition, [inListValue(ids)], {
    transaction,
    select: queryRaw,
    extraColumns: { isLive: LIVE_WEBHOOK },
  })) as LockedWebhook[];
  return new Map(found.map((webhook) => [webhook.id, webhook]));
}

/** Whether the lease is this worker's, or free. */
function isHoldable({ lane, laneUntil }: Webhook, leaseId: string): boolean {
  return lane === null || lane === leaseId || isLeaseOver(WEBHOOK_LEASES, laneUntil);
}

function renewLease(webhook: Webhook, leaseId: string, isOver: boolean): void {
  if (isOver) Object.assign(webhook, { lane: null, laneUntil: null });
  else Object.assign(webhook, { lane: leaseId, laneUntil: leaseEnd(webhook, leaseId) });
}

/** What it may get of each queue, in the order of the queues. */
function wantedBy(state: WorkerState, webhook: Webhook | null): Wanted[] {
  if (!webhook || state.wanted === 0) return [];
  const { webhookId, leaseId, wanted } = state;
  const { generation } = webhook;
  const byHand = { webhookId, leaseId, queue: QUEUE.byHand, wanted, isProbe: false, generation };
  const going = mayGo(webhook, { nowMs: clock.now(), inFlight: state.inFlight });
  if (going === 'none') return [byHand];
  const isProbe = going === 'probe';
  const most = isProbe ? 1 : wanted;
  return [
    byHand,
    { ...byHand, queue: QUEUE.automatic, wanted: most, isProbe },
    { ...byHand, queue: QUEUE.replay, wanted: most, isProbe },
  ];
}

/** When the earliest delivery of each queue is due, by webhook. */
async function nextDue(webhookIds: string[], transaction: Transaction): Promise<Map<string, DueTimes>> {
  if (webhookIds.length === 0) return new Map();
  const earliest = (queue: number) =>
    `(SELECT due_at FROM deliveries WHERE webhook_id = webhooks.id AND queue = ${queue} AND due_at IS NOT NULL
       ORDER BY due_at ${limitInOrder(1)})`;
  const rows = await queryRaw<{ id: string; by_hand: Stored; automatic: Stored; replay: Stored }>(
    `SELECT id, ${earliest(QUEUE.byHand)} AS by_hand, ${earliest(QUEUE.automatic)} AS automatic,
       ${earliest(QUEUE.replay)} AS replay FROM webhooks WHERE ${inList('id', '$1')}`,
    [inListValue(webhookIds)],
    transaction,
  );
  return new Map(
    rows.map((row) => [row.id, { byHand: msOf(row.by_hand), held: Math.min(msOf(row.automatic), msOf(row.replay)) }]),
  );
}

type Stored = string | Date | null;

/** Milliseconds; infinite for never. */
interface DueTimes {
  byHand: number;
  held: number;
}

function msOf(stored: Stored): number {
  return stored === null ? Number.POSITIVE_INFINITY : new Date(stored).getTime();
}

/** Returns when the next batch of each webhook is ripe, in milliseconds. */
async function formAll(webhooks: Webhook[], transaction: Transaction): Promise<Map<string, number>> {
  const ripeMs = new Map<string, number>();
  for (const webhook of webhooks.filter(({ hasBatched }) => hasBatched)) {
    const nextMs = await formBatches(webhook, transaction);
    if (nextMs !== null) ripeMs.set(webhook.id, nextMs);
  }
  return ripeMs;
}

interface Coming {
  due: DueTimes | undefined;
  /** When the next batch is ripe. */
  ripeMs: number | undefined;
  hasMore: boolean;
}

function nextOf(webhook: Webhook, { due, ripeMs = Number.POSITIVE_INFINITY, hasMore }: Coming): Date | null {
  if (!due && hasMore) return new Date(clock.now());
  const next = Math.min(due ? nextDueMs(webhook, due) : Number.POSITIVE_INFINITY, ripeMs);
  return Number.isFinite(next) ? new Date(next) : null;
}

function nextDueMs(webhook: Webhook, due: DueTimes): number {
  const probeAt = webhook.nextProbeAt?.getTime() ?? 0;
  const held =
    webhook.status === 'disabled'
      ? Number.POSITIVE_INFINITY
      : Math.max(due.held, webhook.circuit === 'open' ? probeAt : 0);
  return Math.min(due.byHand, held);
}
