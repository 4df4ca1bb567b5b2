import { deleteSome } from '../../db/deleteSome.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { clock } from '../../kernel/clock.ts';
import { config } from '../../kernel/config.ts';
import { DAY_MS } from '../../kernel/durations.ts';

/** What is deleted when it ended so long ago. Invitations are looked at in lists, and counted for a day. */
const ENDED = [
  { table: 'sessions', keptMs: 0 },
  { table: 'password_resets', keptMs: 0 },
  { table: 'email_confirmations', keptMs: 0 },
  { table: 'invitations', keptMs: 30 * DAY_MS },
];

/**
 * Deletes up to `batch` each of sessions, invitations and links of mails that are over, and of accounts that never confirmed
 * their e-mail; whether there may be more.
 */
export async function purgeAccounts(batch: number): Promise<boolean> {
  let most = 0;
  for (const { table, keptMs } of ENDED) {
    const over = { where: 'expires_at < $1', values: [sqlTime(clock.now() - keptMs)], oldestBy: 'expires_at' };
    most = Math.max(most, await deleteSome({ table, ...over, batch }));
  }
  const before = sqlTime(clock.now() - config.unconfirmedAccountDays * DAY_MS);
  const unconfirmed = { table: 'users', where: 'pending_email IS NOT NULL AND created_at < $1', values: [before] };
  most = Math.max(most, await deleteSome({ ...unconfirmed, oldestBy: 'created_at', batch }));
  return most === batch;
}
