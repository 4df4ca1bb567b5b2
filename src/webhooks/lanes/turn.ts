import { among, amongValue } from '../../db/among.ts';
import { dialect } from '../../db/database.ts';
import { readModels } from '../../db/readModels.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { together } from '../../db/together.ts';
import { clock } from '../../kernel/clock.ts';
import { Webhook } from '../../models/Webhook.ts';
import { mayGo } from '../breaker.ts';
import { QUEUE } from '../queue.ts';
import { type Claimed, claimDue, type Wanted } from './claimDue.ts';
import { type Finished, settle } from './settle.ts';
import { leaseEnd, writeWebhooks } from './writeWebhooks.ts';

/** What a lane hands in and asks for: see `takeTurn`. */
export interface Turn {
  webhookId: string;
  /** The word of this run of the lane; others have other words. */
  lane: string;
  finished: Finished[];
  /** Deliveries that it was given and has not sent: they go back. */
  returned: Claimed[];
  /** How many more it can send now. */
  wanted: number;
  /** Requests of the schedule that it has in flight. */
  inFlight: number;
  /** Whether the lane is to be given up: when nothing is due, or whatever there is. */
  ending: 'no' | 'when_idle' | 'now';
}

export interface TurnResult {
  /** Null when it is deleted, or when another process has its lane: nothing more may be sent. */
  webhook: Webhook | null;
  claimed: Claimed[];
  /** When there is something to send next, as far as is known; null: never. */
  nextDueAt: Date | null;
  /** Another process may take the lane. */
  isOver: boolean;
}

/**
 * A lane's turn with the store: writes down what came of its attempts and gives what it is to send next. The turns of
 * many lanes share a transaction. What an attempt changed commits before anything is sent because of it.
 */
export const takeTurn = together(takeTurns);

async function takeTurns(turns: Turn[], transaction: Transaction): Promise<TurnResult[]> {
  const webhooks = await lockWebhooks(turns, transaction);
  const mine = (turn: Turn) => {
    const webhook = webhooks.get(turn.webhookId);
    return webhook && isFree(webhook, turn.lane) ? webhook : null;
  };
  const before = new Map([...webhooks].map(([id, webhook]) => [id, { ...webhook.get() }]));
  await settle(turns, webhooks, transaction);
  const wanted = turns.flatMap((turn) => wantedBy(turn, mine(turn)));
  const claimed = await claimDue(wanted, transaction);
  const idle = turns.filter((turn) => mine(turn) && (claimed.get(turn.webhookId)?.length ?? 0) < turn.wanted);
  const due = await nextDue(
    idle.map(({ webhookId }) => webhookId),
    transaction,
  );
  const results = turns.map((turn): TurnResult => {
    const webhook = mine(turn);
    if (!webhook) return { webhook: null, claimed: [], nextDueAt: null, isOver: true };
    const given = claimed.get(turn.webhookId) ?? [];
    const next = nextOf(webhook, due.get(turn.webhookId), given.length === turn.wanted);
    const isIdle = given.length === 0 && !(next && next.getTime() <= clock.now());
    const isOver = turn.ending === 'now' || (turn.ending === 'when_idle' && isIdle);
    holdLane(webhook, turn.lane, isOver);
    return { webhook, claimed: given, nextDueAt: next, isOver };
  });
  await writeWebhooks([...webhooks.values()], before, transaction);
  return results;
}

async function lockWebhooks(turns: Turn[], transaction: Transaction): Promise<Map<string, Webhook>> {
  const lock = dialect() === 'postgres' ? ' ORDER BY id FOR NO KEY UPDATE' : '';
  const ids = turns.map(({ webhookId }) => webhookId);
  const condition = `${among('id', '$1')} AND deleted_at IS NULL${lock}`;
  const found = await readModels(Webhook, condition, [amongValue(ids)], { transaction, select: selectBound });
  return new Map(found.map((webhook) => [webhook.id, webhook]));
}

/** Whether the lane is this one's, or nobody's. */
function isFree({ lane, laneUntil }: Webhook, mine: string): boolean {
  return lane === null || lane === mine || laneUntil === null || laneUntil.getTime() <= clock.now();
}

function holdLane(webhook: Webhook, lane: string, isOver: boolean): void {
  if (isOver) Object.assign(webhook, { lane: null, laneUntil: null });
  else Object.assign(webhook, { lane, laneUntil: leaseEnd(webhook, lane) });
}

/** What it may get of each queue, in the order of the queues. */
function wantedBy(turn: Turn, webhook: Webhook | null): Wanted[] {
  if (!webhook || turn.wanted === 0) return [];
  const { webhookId, lane, wanted } = turn;
  const { generation } = webhook;
  const byHand = { webhookId, lane, queue: QUEUE.byHand, wanted, isProbe: false, generation };
  const going = mayGo(webhook, { nowMs: clock.now(), inFlight: turn.inFlight });
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
    `(SELECT MIN(due_at) FROM deliveries WHERE webhook_id = webhooks.id AND queue = ${queue} AND due_at IS NOT NULL)`;
  const rows = await selectBound<{ id: string; by_hand: Stored; automatic: Stored; replay: Stored }>(
    `SELECT id, ${earliest(QUEUE.byHand)} AS by_hand, ${earliest(QUEUE.automatic)} AS automatic,
       ${earliest(QUEUE.replay)} AS replay FROM webhooks WHERE ${among('id', '$1')}`,
    [amongValue(webhookIds)],
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

function nextOf(webhook: Webhook, due: DueTimes | undefined, hasMore: boolean): Date | null {
  if (!due) return hasMore ? new Date(clock.now()) : null;
  const probeAt = webhook.nextProbeAt?.getTime() ?? 0;
  const held =
    webhook.status === 'disabled'
      ? Number.POSITIVE_INFINITY
      : Math.max(due.held, webhook.circuit === 'open' ? probeAt : 0);
  const next = Math.min(due.byHand, held);
  return Number.isFinite(next) ? new Date(next) : null;
}
