import { rowLock } from '../../db/dialects.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { queryRaw } from '../../db/query.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock } from '../../kernel/clock.ts';
import { withBoundedValues } from '../boundedValues.ts';
import type { Click } from '../click.ts';
import type { IsListening } from '../clickStore.ts';
import type { Place } from '../clickStores.ts';
import { addToLinks } from '../linkCountStore.ts';
import { storeMatchClicks } from '../matchClickStore.ts';
import { insertClicks } from './insertClicks.ts';
import { AS_IT_CAME, addToQueue, awaited } from './queueStore.ts';

/** Clicks that are counted in one transaction. */
const COUNTED_AT_ONCE = 2000;

/**
 * Counts the clicks of a chunk in the store and inserts them into ClickHouse. How far a segment is counted is committed with the
 * counts, so a chunk that comes again, after a crash or because ClickHouse was away, is counted once; it is inserted again, which
 * changes nothing.
 */
export async function storeChunk(clicks: readonly Click[], listening: IsListening, place: Place): Promise<number> {
  const bounded = clicks.map(withBoundedValues);
  let counted = 0;
  for (let at = 0; at < bounded.length; at += COUNTED_AT_ONCE) {
    const to = Math.min(at + COUNTED_AT_ONCE, bounded.length);
    // Up to the line before the next click.
    const end = to === bounded.length ? place.end : (place.lines[to] as number);
    const lines = place.lines.slice(at, to);
    counted += await inTransaction((transaction) =>
      count(bounded.slice(at, to), listening, { ...place, lines, end }, transaction),
    );
  }
  await insertClicks(bounded, AS_IT_CAME, `${place.segment} ${place.lines[0]} ${place.end}`);
  return counted;
}

async function count(
  clicks: readonly Click[],
  listening: IsListening,
  { segment, lines, end, journal = null }: Place,
  transaction: Transaction,
): Promise<number> {
  const now = sqlTime(clock.now());
  await queryRaw(
    'INSERT INTO click_progress (segment, lines, changed_at) VALUES ($1, 0, $2) ON CONFLICT (segment) DO NOTHING',
    [segment, now],
    transaction,
  );
  const done = await progressOf(segment, transaction);
  if (done >= end) return 0;
  const fresh = clicks.filter((_, at) => (lines[at] as number) >= done);
  await addToLinks(fresh, transaction, { isDrained: true, journal });
  await storeMatchClicks(fresh, transaction);
  await addToQueue('event', awaited(fresh, listening), AS_IT_CAME, transaction);
  await queryRaw(
    'UPDATE click_progress SET lines = $2, changed_at = $3 WHERE segment = $1',
    [segment, end, now],
    transaction,
  );
  return fresh.length;
}

/** How many lines of a segment are counted. The transaction keeps others from counting it. */
async function progressOf(segment: string, transaction?: Transaction): Promise<number> {
  const lock = transaction ? rowLock('FOR UPDATE') : '';
  const [row] = await queryRaw<{ lines: number }>(
    `SELECT lines FROM click_progress WHERE segment = $1 ${lock}`,
    [segment],
    transaction,
  );
  return row?.lines ?? 0;
}

/** The ids of those clicks of a chunk that are counted already. */
export async function storedAmong(clicks: readonly Click[], { segment, lines }: Place): Promise<Set<string>> {
  const done = await progressOf(segment);
  return new Set(clicks.filter((_, at) => (lines[at] as number) < done).map(({ id }) => id));
}
