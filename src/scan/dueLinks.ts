import { dialect, select } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { Op } from '../db/sequelize.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Link } from '../models/Link.ts';

/** Links that were taken to be scanned and were not are due again after this long: a crash, or a provider that is down. */
const AGAIN_SECONDS = 600;

/** Links that lead somewhere. */
const WORKING = 'flagged_at IS NULL AND archived_at IS NULL';

export interface DueLinks {
  links: Link[];
  /** Goes into `finishScans`. */
  claim: string;
}

/** Takes links whose scan is due, those never scanned first; no other process gets them meanwhile. */
export async function claimDueLinks(limit: number): Promise<DueLinks> {
  const before = sqlTime(clock.now() - config.rescanSeconds * 1000);
  const claim = sqlTime(clock.now() + (AGAIN_SECONDS - config.rescanSeconds) * 1000);
  const candidates = await dueIds(before, limit);
  if (candidates.length === 0) return { links: [], claim };
  // Whoever changes one of these links right now is not waited for: it is due next time.
  const lock = dialect() === 'postgres' ? 'FOR UPDATE OF links SKIP LOCKED' : '';
  const claimed = await inTransaction((transaction) =>
    withJsonRows<{ id: string }>(
      { id: 'text' },
      candidates.map(({ id }) => [id]),
      `, due AS (SELECT links.id FROM links JOIN given ON given.id = links.id
                  WHERE ${WORKING} AND (scanned_at IS NULL OR scanned_at < $2) ${lock})
       UPDATE links SET scanned_at = $3 FROM due WHERE links.id = due.id RETURNING links.id AS id`,
      transaction,
      [before, claim],
    ),
  );
  const ids = claimed.map(({ id }) => id);
  return { links: await Link.findAll({ where: { id: { [Op.in]: ids } } }), claim };
}

/** Two questions, because the stores do not agree where in the order of an index those without a time stand. */
async function dueIds(before: string, limit: number): Promise<{ id: string }[]> {
  const never = await select<{ id: string }>(
    `SELECT id FROM links WHERE ${WORKING} AND scanned_at IS NULL LIMIT :limit`,
    { limit },
  );
  if (never.length === limit) return never;
  const longAgo = await select<{ id: string }>(
    `SELECT id FROM links WHERE ${WORKING} AND scanned_at < :before ORDER BY scanned_at LIMIT :rest`,
    { before, rest: limit - never.length },
  );
  return [...never, ...longAgo];
}

/**
 * Notes that claimed links were scanned. `passed`: nothing was found, so that what an operator cleared is forgotten. A
 * link that was changed meanwhile and whose new URLs could not all be asked about stays due.
 */
export async function finishScans(ids: string[], claim: string, { passed }: { passed: boolean }): Promise<void> {
  const forget = passed ? ', cleared_verdict = NULL' : '';
  await inTransaction((transaction) =>
    withJsonRows(
      { id: 'text' },
      ids.map((id) => [id]),
      `UPDATE links SET scanned_at = $2 ${forget} WHERE id IN (SELECT id FROM given) AND scanned_at = $3`,
      transaction,
      [sqlTime(clock.now()), claim],
    ),
  );
}

/** Links for which somebody asks that a scan's flag be looked at again, longest asked first. */
export function requestedReviews(limit: number): Promise<Link[]> {
  return Link.findAll({
    where: { flaggedBy: 'scan', reviewRequestedAt: { [Op.ne]: null } },
    order: [['reviewRequestedAt', 'ASC']],
    limit,
  });
}
