import { deleteOldest } from '../db/deleteOldest.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';

/** Tables whose expired rows are deleted, and for how long they are kept. Lists show expired invitations, and limits count them. */
const EXPIRING = [
  { table: 'sessions', keptMs: 0 },
  { table: 'password_resets', keptMs: 0 },
  { table: 'email_confirmations', keptMs: 0 },
  { table: 'email_changes', keptMs: 0 },
  { table: 'second_factor_undos', keptMs: 0 },
  { table: 'invitations', keptMs: 30 * DAY_MS },
];

/**
 * Deletes up to `batch` rows each of expired sessions, invitations and mailed links, and of accounts that never confirmed
 * their e-mail. Returns whether there may be more.
 */
export async function purgeAccounts(batch: number): Promise<boolean> {
  let most = 0;
  for (const { table, keptMs } of EXPIRING) {
    const expired = { where: 'expires_at < $1', values: [sqlTime(clock.now() - keptMs)], oldestBy: 'expires_at' };
    most = Math.max(most, await deleteOldest({ table, ...expired, batch }));
  }
  const before = sqlTime(clock.now() - config.unconfirmedAccountDays * DAY_MS);
  const unconfirmed = { table: 'users', where: 'pending_email IS NOT NULL AND created_at < $1', values: [before] };
  most = Math.max(most, await deleteOldest({ ...unconfirmed, oldestBy: 'created_at', batch }));
  return most === batch;
}
