import { holdLease, type LeasedTable } from '../../db/lease.ts';
import { queryRaw } from '../../db/query.ts';
import { inTransaction } from '../../db/transactions.ts';
import { clock } from '../../kernel/clock.ts';
import type { ProjectDay } from './blockStore.ts';

/** How long the day of a process that was killed is left alone. */
const LEASE_MS = 30_000;

/** Days of projects that a process builds blocks of, so that workers share them out. */
const LEASES: LeasedTable = {
  table: 'click_day_leases',
  key: 'id',
  until: 'lease_until',
  due: 'lease_until',
  leaseMs: () => LEASE_MS,
};

/**
 * Runs `work` while this process alone builds blocks of the day; false when another one does. `renew` keeps the lease and is
 * called often. A lease that was lost does no harm: blocks that two processes build are stored once.
 */
export async function withDayLease(
  { projectId, day }: ProjectDay,
  work: (renew: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  const key = `${projectId} ${day}`;
  let heldUntil = await holdLease(LEASES, key, null);
  if (heldUntil === null) return false;
  const renew = async () => {
    if (heldUntil === null || clock.now() < heldUntil - LEASE_MS / 2) return;
    heldUntil = await holdLease(LEASES, key, heldUntil);
  };
  try {
    await work(renew);
  } finally {
    await inTransaction((transaction) => queryRaw('DELETE FROM click_day_leases WHERE id = $1', [key], transaction));
  }
  return true;
}
