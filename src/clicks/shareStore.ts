import { announce } from '../db/announce.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction, lockNames } from '../db/transactions.ts';
import { clock, DAY_MS } from '../kernel/clock.ts';
import { decideShare } from './decideShare.ts';

/** How long a share is its process's own without being renewed. */
export const SHARE_LEASE_MS = 5 * 60_000;

/** Takes clicks that a journal has given to the store from the shares of its process, $2; within a statement over `given`. */
export const LOWER_SHARES = `lowered AS (
    UPDATE click_shares SET share = GREATEST(click_shares.share - given.clicks, 0) FROM given
    WHERE click_shares.link_id = given.id AND click_shares.holder = $2
  )`;

/** What a process asks for. */
interface ShareRequest {
  linkId: string;
  /** The name of the journal of the process. */
  holder: string;
  /** People who are waiting to be let through; 0: the process only wants to know how many are left. */
  needed: number;
  /**
   * What the share is without the grant: clicks that wait in the journal, and those that may still be let through. No click
   * of the journal may be on its way to the store meanwhile. Null: what the store has.
   */
  base: number | null;
  /** A process counts as lost if it has been missing since before this time. */
  lostBefore: string;
}

/** What is left of a limit; infinite if the link has none any more. */
interface Lease {
  granted: number;
  /** What nobody holds after the grant. */
  left: number;
  /** The shares of other processes. */
  others: number;
}

/**
 * Leases a share of what is left of a link's limit. Calls for a link run one after another, so the clicks that are counted and
 * all shares together are never more than the limit, unless it is lowered. Drains do not wait for it: in one transaction they
 * count clicks and lower the share of their process by as many. Of PostgreSQL alone.
 */
export function leaseShare({ linkId, holder, needed, base, lostBefore }: ShareRequest): Promise<Lease> {
  return inTransaction(async (transaction) => {
    await lockNames([`click shares of ${linkId}`], transaction);
    await freeExpired(linkId, holder, lostBefore, transaction);
    const facts = await readFacts(linkId, holder, transaction);
    const own = base ?? facts.own;
    const granted = decideShare({ ...facts, own, needed });
    if (granted > 0 || own !== facts.own)
      await queryRaw(
        `INSERT INTO click_shares (link_id, holder, share, expires_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (link_id, holder) DO UPDATE SET expires_at = excluded.expires_at,
           share = ${base === null ? `click_shares.share + ${granted}` : 'excluded.share'}`,
        [linkId, holder, own + granted, leaseEnd()],
        transaction,
      );
    const { limit, counted, others } = facts;
    return { granted, others, left: Math.max(0, limit - counted - others - own - granted) };
  });
}

/** What is left of a link's limit, without taking any. */
export async function readLeft(linkId: string, holder: string): Promise<Lease> {
  const { limit, counted, others, own } = await readFacts(linkId, holder);
  return { granted: 0, others, left: Math.max(0, limit - counted - others - own) };
}

interface Facts {
  limit: number;
  counted: number;
  own: number;
  others: number;
}

/** In one statement, so that a click that moves from a share to the counted ones is seen once. */
async function readFacts(linkId: string, holder: string, transaction?: Transaction): Promise<Facts> {
  const [row] = await queryRaw<Facts & { limit: number | null }>(
    `SELECT click_limit AS limit,
       clicks + COALESCE((SELECT SUM(clicks) FROM link_click_sums WHERE link_id = $1), 0)::BIGINT AS counted,
       COALESCE((SELECT share FROM click_shares WHERE link_id = $1 AND holder = $2), 0)::BIGINT AS own,
       COALESCE((SELECT SUM(share) FROM click_shares WHERE link_id = $1 AND holder <> $2), 0)::BIGINT AS others
     FROM links WHERE id = $1`,
    [linkId, holder],
    transaction,
  );
  if (!row) return { limit: 0, counted: 0, own: 0, others: 0 };
  return { ...row, limit: row.limit ?? Number.POSITIVE_INFINITY };
}

/**
 * Shares whose lease is over are free once the journal of their process cannot raise the count any more: it was moved or given
 * up, or the process is lost. Rows that their process is changing are left out.
 */
async function freeExpired(
  linkId: string,
  holder: string,
  lostBefore: string,
  transaction: Transaction,
): Promise<void> {
  await queryRaw(
    `DELETE FROM click_shares WHERE link_id = $1 AND holder IN (
       SELECT holder FROM click_shares WHERE link_id = $1 AND holder <> $2 AND expires_at < $3 AND NOT EXISTS (
         SELECT 1 FROM click_journals
         WHERE name = click_shares.holder AND (missing_at IS NULL OR missing_at > $4)
       ) FOR UPDATE SKIP LOCKED
     )`,
    [linkId, holder, sqlTime(clock.now()), lostBefore],
    transaction,
  );
}

/**
 * Sets the shares of a process to what its journal and its memory hold of them, and renews their leases; no click of the journal
 * may be on its way to the store meanwhile. Returns the links whose shares it still has; those of 0 are given back.
 */
export async function settleShares(holder: string, shares: readonly [linkId: string, share: number][]) {
  const rows = await inTransaction((transaction) =>
    withJsonRows<{ link_id: string }>(
      { id: 'text', share: 'integer' },
      shares,
      `, gone AS (
         DELETE FROM click_shares USING given
         WHERE click_shares.link_id = given.id AND click_shares.holder = $2 AND given.share = 0
       )
       UPDATE click_shares SET share = given.share, expires_at = CAST($3 AS TIMESTAMPTZ) FROM given
       WHERE click_shares.link_id = given.id AND click_shares.holder = $2 AND given.share > 0
       RETURNING click_shares.link_id`,
      transaction,
      [holder, leaseEnd()],
    ),
  );
  return new Set(rows.map(({ link_id }) => link_id));
}

/**
 * The links of which a process that was killed has shares. `former`: the name that its journal had then, whose shares become
 * those of `holder`.
 */
export async function takeOverShares(holder: string, former: string | null): Promise<string[]> {
  if (former !== null && former !== holder)
    await inTransaction(async (transaction) => {
      await queryRaw(
        `UPDATE click_shares AS taken SET holder = $1 WHERE holder = $2
           AND NOT EXISTS (SELECT 1 FROM click_shares WHERE holder = $1 AND link_id = taken.link_id)`,
        [holder, former],
        transaction,
      );
      await forgetShares(former, transaction);
    });
  const rows = await queryRaw<{ link_id: string }>('SELECT link_id FROM click_shares WHERE holder = $1', [holder]);
  return rows.map(({ link_id }) => link_id);
}

/** Deletes the shares of a process whose journal is empty or given up. */
export async function forgetShares(holder: string, transaction: Transaction): Promise<void> {
  await queryRaw('DELETE FROM click_shares WHERE holder = $1', [holder], transaction);
}

/** Deletes what nobody asked for in a day since its lease ended: shares of links that are used up or deleted. */
export async function deleteOldShares(): Promise<void> {
  await queryRaw('DELETE FROM click_shares WHERE expires_at < $1', [sqlTime(clock.now() - DAY_MS)]);
}

/** Asks all processes to give back what they have not used of their shares of a link. */
export async function recallShares(linkId: string): Promise<void> {
  await inTransaction((transaction) => announce(transaction, 'share', linkId));
}

function leaseEnd(): string {
  return sqlTime(clock.now() + SHARE_LEASE_MS);
}
