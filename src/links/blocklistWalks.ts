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

/** A walk renews its lease again and again; after this silence of a process another may walk. */
const LEASE_MS = 60_000;

const LEASES: LeasedTable = {
  table: 'blocklist_walks',
  key: 'fingerprint',
  due: 'lease_until',
  until: 'lease_until',
  leaseMs: () => LEASE_MS,
};
/** Lists that no process uses any more need not be remembered. */
const KEPT_DAYS = 30;

/**
 * Whether all links were held against these lists: since `seenAt`, when this process saw that its lists had changed; null
 * for those that it started with, which are the last ones that anybody dealt with unless they changed meanwhile.
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

/** Claims the walk, or renews the claim that ends at `heldUntil`. Returns its end; null: another process has the walk. */
export function claimWalk(fingerprint: string, heldUntil: number | null): Promise<number | null> {
  return holdLease(LEASES, fingerprint, heldUntil);
}

/** Releases the walk if it is still held. `isFinished`: all links were compared with these lists. */
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

/** The next links without a flag, by their ids from behind `after`, with no more of them than their URLs; archived ones too, which may come back. */
export async function readUrls(after: string, limit: number): Promise<Urls[]> {
  const rows = await query<Urls>(
    `SELECT id, destination, expired_destination AS "expiredDestination", routing, preview FROM links
      WHERE id > :after AND flagged_at IS NULL ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  const parsed = <T>(value: T): T => (typeof value === 'string' ? JSON.parse(value) : value);
  return rows.map((row) => ({ ...row, routing: parsed(row.routing), preview: parsed(row.preview) }));
}

/** Whether one of its URLs is on a list. */
export function isListed(link: LinkUrls, blocklists: Blocklist[]): boolean {
  return storedUrls(link).some(({ url }) => {
    const target = parseTarget(url);
    return target?.isWeb === true && blocklistProblem(target, { blocklists }) !== null;
  });
}
