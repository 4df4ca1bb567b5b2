import { select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { withJsonRows } from '../db/jsonRows.ts';
import { sealFor, unsealFor } from '../db/sealedColumns.ts';
import { clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { randomToken } from '../kernel/secrets.ts';

/** Today and the two days before it: matching looks back over midnight, and nothing should look further. */
const DAYS_KEPT = 3;

/**
 * The keys by UTC day (`2026-11-21`), tomorrow's too, so that midnight needs no store. Makes those that are missing;
 * of several processes the first one's count. Once a key is deleted nobody can tell which address a hash stood for.
 */
export async function keysOfDays(): Promise<Map<string, Buffer>> {
  const today = Math.floor(clock.now() / DAY_MS);
  const made = [today, today + 1].map(dayName).map((day) => [day, sealFor('visitorKey', [day], randomToken(32))]);
  const stored = await inTransaction(async (transaction) => {
    await withJsonRows(
      { day: 'text', key: 'text' },
      made,
      'INSERT INTO visitor_keys (day, key) SELECT day, key FROM given WHERE true ON CONFLICT (day) DO NOTHING',
      transaction,
    );
    await withJsonRows(
      { day: 'text' },
      [[dayName(today - DAYS_KEPT + 1)]],
      'DELETE FROM visitor_keys WHERE day < (SELECT day FROM given)',
      transaction,
    );
    return select<{ day: string; key: string }>('SELECT day, key FROM visitor_keys', {}, transaction);
  });
  return new Map(stored.map(({ day, key }) => [day, Buffer.from(unsealFor('visitorKey', [day], key), 'base64url')]));
}

/** A day since the epoch as `2026-11-21`. */
export function dayName(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
