import { announce } from '../db/announce.ts';
import { inList, inListValue, limitInOrder, rowLock } from '../db/dialects.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { readRows } from '../db/rows.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inIndexOrder } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { Event } from '../models/Event.ts';
import { QUEUE } from '../models/queue.ts';
import { Webhook } from '../models/Webhook.ts';
import {
  type EventPosition,
  IN_RANGE,
  missingEvents,
  type REPLAYS,
  type ReplayRange,
  rangeValues,
  STATUSES,
} from './missingEvents.ts';
import { planEvents } from './planEvents.ts';
import { LIVE_WEBHOOK } from './worker/webhookLeases.ts';

/** The most deliveries that one step handles. */
const STEP = 500;

interface StoredReplay {
  id: string;
  webhook_id: string;
  status: (typeof REPLAYS)[number];
  since: string | Date;
  until: string | Date;
  position: string | null;
}

/** Existing deliveries come first, then missing ones are created: in the other order, the new ones would be sent twice. */
interface Position {
  existing: { at: string; id: string } | 'done';
  events: EventPosition | null;
}

const START: Position = { existing: { at: '', id: '' }, events: null };

/** Replays to the webhooks of a deleted project or team wait until it is restored. */
const RUNNABLE = `EXISTS (SELECT 1 FROM webhooks WHERE webhooks.id = replays.webhook_id AND ${LIVE_WEBHOOK})`;

/** Whether any replay is unfinished. */
export async function hasReplays(): Promise<boolean> {
  return (await queryRaw(`SELECT 1 AS one FROM replays WHERE ${RUNNABLE} LIMIT 1`, [])).length > 0;
}

/**
 * Runs one step of the replay that has waited longest. Returns whether there was one. Each step commits together with the
 * position where it ends, so that another process can continue after a crash.
 */
export async function runReplayStep(): Promise<boolean> {
  return inIndexOrder(async (transaction) => {
    const [replay] = await queryRaw<StoredReplay>(
      `SELECT id, webhook_id, status, since, until, position FROM replays WHERE ${RUNNABLE}
       ORDER BY worked_at, id LIMIT 1
       ${rowLock('FOR UPDATE SKIP LOCKED')}`,
      [],
      transaction,
    );
    if (!replay) return false;
    const webhook = await Webhook.findByPk(replay.webhook_id, { transaction });
    const range = webhook && { webhook, since: new Date(replay.since), until: new Date(replay.until) };
    const next = range && (await step(range, replay, transaction));
    if (next) await keepPlace(replay.id, next, transaction);
    else await queryRaw('DELETE FROM replays WHERE id = $1', [replay.id], transaction);
    if (webhook) await announce(transaction, 'deliveries', webhook.id);
    return true;
  });
}

/** Returns the position where the next step begins; null at the end. */
async function step(range: ReplayRange, replay: StoredReplay, transaction: Transaction): Promise<Position | null> {
  const at: Position = replay.position ? JSON.parse(replay.position) : START;
  const wanted = STATUSES[replay.status];
  if (wanted !== null && at.existing !== 'done') {
    const existing = await repeatExisting(range, wanted, at.existing, transaction);
    return existing === 'done' && replay.status === 'failed' ? null : { ...at, existing };
  }
  const { missing, next } = await missingEvents(range, at.events, transaction);
  // Locked, so that none is purged that gets a delivery here.
  const condition = `${inList('id', '$1')} ${rowLock('FOR SHARE')}`;
  const events = await readRows(Event, condition, [inListValue(missing)], { transaction, select: queryRaw });
  const pairs = events.map((event) => ({ event, webhook: range.webhook }));
  await planEvents(pairs, transaction, QUEUE.replay);
  return next && { existing: 'done', events: next };
}

/** Pending deliveries become due; finished ones get a manual attempt, sent after everything new. */
async function repeatExisting(
  range: ReplayRange,
  condition: string,
  after: { at: string; id: string },
  transaction: Transaction,
): Promise<Position['existing']> {
  const rows = await queryRaw<{ id: string; event_at: string | Date }>(
    `SELECT id, event_at FROM deliveries WHERE ${IN_RANGE} AND ${condition} AND (event_at, id) > ($4, $5)
     ORDER BY event_at, id ${limitInOrder(STEP)}`,
    [...rangeValues(range), after.at || sqlTime(0), after.id],
    transaction,
  );
  const last = rows.at(-1);
  if (!last) return 'done';
  await queryRaw(
    `UPDATE deliveries SET
       resends = CASE WHEN status = 'pending' THEN 0 ELSE 1 END,
       queue = CASE WHEN status = 'pending' THEN ${QUEUE.automatic} ELSE ${QUEUE.replay} END,
       next_attempt_at = CASE WHEN status = 'pending' THEN $6 ELSE next_attempt_at END,
       due_at = $6
     WHERE ${IN_RANGE} AND ${condition} AND (event_at, id) > ($4, $5) AND (event_at, id) <= ($7, $8)
       AND resends = 0 AND claim IS NULL AND (due_at IS NULL OR due_at > $6)`,
    [
      ...rangeValues(range),
      after.at || sqlTime(0),
      after.id,
      sqlTime(clock.now()),
      sqlTime(new Date(last.event_at).getTime()),
      last.id,
    ],
    transaction,
  );
  return rows.length < STEP ? 'done' : { at: sqlTime(new Date(last.event_at).getTime()), id: last.id };
}

async function keepPlace(id: string, position: Position, transaction: Transaction): Promise<void> {
  await queryRaw(
    'UPDATE replays SET position = $1, worked_at = $2 WHERE id = $3',
    [JSON.stringify(position), sqlTime(clock.now()), id],
    transaction,
  );
}
