import { isStoreShared } from '../db/connection/database.ts';
import { holdLease, type LeasedTable, releaseLeases } from '../db/lease.ts';
import { clock } from '../kernel/clock.ts';

/**
 * How long one process reads the outbox for all, unless it says so again. Together with ASK_MS it is how long events wait
 * after a process was killed, and less than the sweep of webhooks (WEBHOOK_SWEEP_SECONDS).
 */
const LEASE_MS = 3000;
/** How often the others ask whether the lease is over; the reader renews it after as long. */
export const ASK_MS = LEASE_MS / 2;

const OUTBOX: LeasedTable = {
  table: 'outbox_readers',
  key: 'id',
  due: 'read_until',
  until: 'read_until',
  leaseMs: () => LEASE_MS,
};
/** The one row of the table. */
const KEY = 'outbox';

/**
 * The right to read the outbox, for one process at a time: each look costs the store, and many looks at one event find
 * nothing more. A reader that was paused beyond its lease does no harm, since events that another process has locked are
 * skipped. The embedded store has one process.
 */
export class OutboxLease {
  #untilMs: number | null = null;

  /** Whether this process is the reader, as far as it knows. */
  get isHeld(): boolean {
    return !isStoreShared() || this.#untilMs !== null;
  }

  /** Claims or renews the lease where that is due. Returns whether this process may read. */
  async hold(): Promise<boolean> {
    if (!isStoreShared()) return true;
    const leftMs = (this.#untilMs ?? 0) - clock.now();
    if (leftMs > ASK_MS && leftMs <= LEASE_MS) return true;
    this.#untilMs = await holdLease(OUTBOX, KEY, this.#untilMs);
    return this.#untilMs !== null;
  }

  /** Another process may take over at once. */
  async release(): Promise<void> {
    if (this.#untilMs === null) return;
    await releaseLeases(OUTBOX, [{ key: KEY, untilMs: this.#untilMs }]);
    this.#untilMs = null;
  }
}
