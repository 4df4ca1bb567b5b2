import { sqlTime } from '../db/jsonRows.ts';
import { holdLease, type LeasedTable, releaseLeases } from '../db/lease.ts';
import { query, queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { type Link } from '../models/Link.ts';
import { type Blocklist } from '../scan/Blocklist.ts';
import { blocklistProblem } from '../scan/checks.ts';
import { parseTarget } from '../scan/target.ts';
import { type LinkUrls, storedUrls } from './linkUrls.ts';

/** A scan renews its lease while it runs. A lease without renewal for this long may be taken by another process. */
const LEASE_MS = 60_000;

/** A walk is a scan of all links by the job `walkBlocklists`. */
const LEASES: LeasedTable = {
  table: 'blocklist_walks',
  key: 'fingerprint',
  due: 'lease_until',
  until: 'lease_until',
  leaseMs: () => LEASE_MS,
};

/** How long finished scans are remembered, because lists that no process uses any more must not pile up. */
const KEPT_DAYS = 30;

/**
 * Whether all links have been checked against these lists since `seenAt`, when this process noticed that its lists had
 * changed. `seenAt` is null for the lists that it started with: they count as checked if the latest finished scan used them.
 */
export async function isWalked(fingerprint: string, seenAt: number | null): Promise<boolean> {
  const [last] = await query<{ fingerprint: string; finishedAt: string | Date }>(
    `SELECT fingerprint, finished_at AS "finishedAt" FROM blocklist_walks WHERE finished_at IS NOT NULL
       ${seenAt === null ? '' : 'AND fingerprint = :fingerprint'} ORDER BY finished_at DESC LIMIT 1`,
    { fingerprint },
  );
  if (last?.fingerprint !== fingerprint) return false;
  return seenAt === null || new Date(last.finishedAt).getTime() >= seenAt;
}

/** Claims the scan, or renews the claim that ends at `heldUntil`. Returns the new end, or null if another process holds it. */
export function claimWalk(fingerprint: string, heldUntil: number | null): Promise<number | null> {
  return holdLease(LEASES, fingerprint, heldUntil);
}

/** Releases the scan if it is still held. `isFinished`: all links have been checked against these lists. */
export async function endWalk(fingerprint: string, heldUntil: number, isFinished: boolean): Promise<void> {
  const at = clock.now();
  const set = isFinished ? `finished_at = '${sqlTime(at)}'` : '';
  await inTransaction(async (transaction) => {
    await releaseLeases(LEASES, [{ key: fingerprint, untilMs: heldUntil }], { set, transaction });
    await queryRaw(
      'DELETE FROM blocklist_walks WHERE finished_at < $1 AND lease_until IS NULL',
      [sqlTime(at - KEPT_DAYS * DAY_MS)],
      transaction,
    );
  });
}

type Urls = LinkUrls & Pick<Link, 'id'>;

/** The URLs of the next unflagged links by id, starting after `after`. Archived links are included, because they may be restored. */
export async function readUrls(after: string, limit: number): Promise<Urls[]> {
  const rows = await query<Urls>(
    `SELECT id, destination, expired_destination AS "expiredDestination", routing, preview FROM links
      WHERE id > :after AND flagged_at IS NULL ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  const parsed = <T>(value: T): T => (typeof value === 'string' ? JSON.parse(value) : value);
  return rows.map((row) => ({ ...row, routing: parsed(row.routing), preview: parsed(row.preview) }));
}

/** Whether a URL of the link is on a blocklist. */
export function isListed(link: LinkUrls, blocklists: Blocklist[]): boolean {
  return storedUrls(link).some(({ url }) => {
    const target = parseTarget(url);
    return target?.isWeb === true && blocklistProblem(target, { blocklists }) !== null;
  });
}
