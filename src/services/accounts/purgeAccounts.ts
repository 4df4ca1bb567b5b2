import { deleteSome } from '../../db/deleteSome.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { clock } from '../../kernel/clock.ts';
import { DAY_MS } from '../../kernel/durations.ts';

/** What is deleted when it ended so long ago. Invitations are looked at in lists, and counted for a day. */
const ENDED = [
  { table: 'sessions', keptMs: 0 },
  { table: 'password_resets', keptMs: 0 },
  { table: 'invitations', keptMs: 30 * DAY_MS },
];

/** Deletes up to `batch` each of sessions, invitations and password resets that are over; whether there may be more. */
export async function purgeAccounts(batch: number): Promise<boolean> {
  let most = 0;
  for (const { table, keptMs } of ENDED) {
    const over = { where: 'expires_at < $1', values: [sqlTime(clock.now() - keptMs)], oldestBy: 'expires_at' };
    most = Math.max(most, await deleteSome({ table, ...over, batch }));
  }
  return most === batch;
}
