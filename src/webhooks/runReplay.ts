import { announce } from '../../db/announce.ts';
import { dialect } from '../../db/database.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { readByIds } from '../../db/readModels.ts';
import { selectBound } from '../../db/selectBound.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { clock } from '../../kernel/clock.ts';
import { Event } from '../../models/Event.ts';
import { Webhook } from '../../models/Webhook.ts';
import { planDeliveries } from '../planDeliveries.ts';
import { QUEUE } from '../queue.ts';
import { type EventPosition, missingEvents } from './missingEvents.ts';
import { IN_RANGE, type REPLAYS, type ReplayRange, rangeValues, STATUSES } from './range.ts';

/** Deliveries of one step. */
const STEP = 500;

interface StoredReplay {
  id: string;
  webhook_id: string;
  status: (typeof REPLAYS)[number];
  since: string | Date;
  until: string | Date;
  position: string | null;
}

/** First the deliveries that there are, then those that are made: else these would be sent twice. */
interface Position {
  existing: { at: string; id: string } | 'done';
  events: EventPosition | null;
}

const START: Position = { existing: { at: '', id: '' }, events: null };

/**
 * Takes one step of the replay that has waited longest, and gives whether there was one. Each step commits with the place
 * where it ends: whoever is killed in between, another process goes on from there.
 */
export async function workReplay(): Promise<boolean> {
  return inTransaction(async (transaction) => {
    const [replay] = await selectBound<StoredReplay>(
      `SELECT id, webhook_id, status, since, until, position FROM replays ORDER BY worked_at, id LIMIT 1
       ${dialect() === 'postgres' ? 'FOR UPDATE SKIP LOCKED' : ''}`,
      [],
      transaction,
    );
    if (!replay) return false;
    const webhook = await Webhook.findByPk(replay.webhook_id, { transaction });
    const range = webhook && { webhook, since: new Date(replay.since), until: new Date(replay.until) };
    const next = range && (await step(range, replay, transaction));
    if (next) await keepPlace(replay.id, next, transaction);
    else await selectBound('DELETE FROM replays WHERE id = $1', [replay.id], transaction);
    if (webhook) await announce(transaction, 'deliveries', webhook.id);
    return true;
  });
}

/** Gives where the next step begins; null at the end. */
async function step(range: ReplayRange, replay: StoredReplay, transaction: Transaction): Promise<Position | null> {
  const at: Position = replay.position ? JSON.parse(replay.position) : START;
  const condition = STATUSES[replay.status];
  if (condition !== null && at.existing !== 'done') {
    const existing = await repeatExisting(range, condition, at.existing, transaction);
    return existing === 'done' && replay.status === 'failed' ? null : { ...at, existing };
  }
  const { missing, next } = await missingEvents(range, at.events, transaction);
  const events = await readByIds(Event, missing, transaction);
  const pairs = events.map((event) => ({ event, webhook: range.webhook }));
  await planDeliveries(pairs, transaction, QUEUE.replay);
  return next && { existing: 'done', events: next };
}

/** What is still on its way becomes due; what has ended gets an attempt as if by hand, behind everything that is new. */
async function repeatExisting(
  range: ReplayRange,
  condition: string,
  after: { at: string; id: string },
  transaction: Transaction,
): Promise<Position['existing']> {
  const rows = await selectBound<{ id: string; event_at: string | Date }>(
    `SELECT id, event_at FROM deliveries WHERE ${IN_RANGE} AND ${condition} AND (event_at, id) > ($4, $5)
     ORDER BY event_at, id LIMIT ${STEP}`,
    [...rangeValues(range), after.at || sqlTime(0), after.id],
    transaction,
  );
  const last = rows.at(-1);
  if (!last) return 'done';
  await selectBound(
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
  await selectBound(
    'UPDATE replays SET position = $1, worked_at = $2 WHERE id = $3',
    [JSON.stringify(position), sqlTime(clock.now()), id],
    transaction,
  );
}
