import { select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { DAY_MS } from '../kernel/durations.ts';
import type { Link } from '../models/Link.ts';
import type { Blocklist } from './Blocklist.ts';
import { blocklistProblem } from './blocklistProblem.ts';
import { type Leading, storedUrls } from './storedUrls.ts';
import { parseTarget } from './target.ts';

/** A process that holds links against its lists says so again and again; after this silence another may do it. */
const LEASE_SECONDS = 60;
/** Lists that nobody has any more need not be remembered. */
const KEPT_DAYS = 30;

/**
 * Whether all links were held against these lists: since `seenAt`, when this process saw that its lists had changed; null
 * for those that it started with, which are the last ones that anybody dealt with unless they changed meanwhile.
 */
export async function isWalked(fingerprint: string, seenAt: number | null): Promise<boolean> {
  const [last] = await select<{ fingerprint: string; finishedAt: string | Date }>(
    `SELECT fingerprint, finished_at AS "finishedAt" FROM blocklist_walks WHERE finished_at IS NOT NULL
       ${seenAt === null ? '' : 'AND fingerprint = :fingerprint'} ORDER BY finished_at DESC LIMIT 1`,
    { fingerprint },
  );
  if (last?.fingerprint !== fingerprint) return false;
  return seenAt === null || new Date(last.finishedAt).getTime() >= seenAt;
}

/**
 * Takes the walk, or goes on with it when `heldUntil` is what was given last. Gives until when it is held, in milliseconds;
 * null: another process does it.
 */
export async function claimWalk(fingerprint: string, heldUntil: number | null): Promise<number | null> {
  const now = clock.now();
  const until = now + LEASE_SECONDS * 1000;
  const claimed = await inTransaction((transaction) =>
    selectBound(
      // A lease that ends later than any can was written by a clock that was ahead.
      `INSERT INTO blocklist_walks (fingerprint, lease_until) VALUES ($1, $2)
       ON CONFLICT (fingerprint) DO UPDATE SET lease_until = $2 WHERE blocklist_walks.lease_until IS NULL
         OR blocklist_walks.lease_until < $3 OR blocklist_walks.lease_until > $2 OR blocklist_walks.lease_until = $4
       RETURNING fingerprint`,
      [fingerprint, sqlTime(until), sqlTime(now), sqlTime(heldUntil ?? 0)],
      transaction,
    ),
  );
  return claimed.length > 0 ? until : null;
}

/** Gives the walk back, if nobody has taken it meanwhile. `isFinished`: all links were held against these lists. */
export async function endWalk(fingerprint: string, heldUntil: number, isFinished: boolean): Promise<void> {
  const at = clock.now();
  await inTransaction(async (transaction) => {
    await selectBound(
      `UPDATE blocklist_walks SET lease_until = NULL, finished_at = ${isFinished ? '$3' : 'finished_at'}
        WHERE fingerprint = $1 AND lease_until = $2`,
      [fingerprint, sqlTime(heldUntil), ...(isFinished ? [sqlTime(at)] : [])],
      transaction,
    );
    await selectBound(
      'DELETE FROM blocklist_walks WHERE finished_at < $1 AND lease_until IS NULL',
      [sqlTime(at - KEPT_DAYS * DAY_MS)],
      transaction,
    );
  });
}

type Urls = Leading & Pick<Link, 'id'>;

/** The next links without a flag, by their ids from behind `after`, with no more of them than their URLs; archived ones too, which may come back. */
export async function readUrls(after: string, limit: number): Promise<Urls[]> {
  const rows = await select<Urls>(
    `SELECT id, destination, expired_destination AS "expiredDestination", routing, preview FROM links
      WHERE id > :after AND flagged_at IS NULL ORDER BY id LIMIT :limit`,
    { after, limit },
  );
  const parsed = <T>(value: T): T => (typeof value === 'string' ? JSON.parse(value) : value);
  return rows.map((row) => ({ ...row, routing: parsed(row.routing), preview: parsed(row.preview) }));
}

/** Whether one of its URLs is on a list. */
export function isListed(link: Leading, blocklists: Blocklist[]): boolean {
  return storedUrls(link).some(({ url }) => {
    const target = parseTarget(url);
    return target?.isWeb === true && blocklistProblem(target, { blocklists }) !== null;
  });
}
