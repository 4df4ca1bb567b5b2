import { ofLiveProject } from '../access/notDeleted.ts';
import { rowLock } from '../db/dialects.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { claimDue, type DueRows, hasDue, type LeasedTable } from '../db/lease.ts';
import { readRowsByIds } from '../db/rows.ts';
import { literal, Op } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Link } from '../models/Link.ts';

/** A claimed link whose scan does not finish, because the process died or a provider is down, is due again after this. */
const RETRY_SECONDS = 600;

/**
 * A claim sets `scanned_at` to a time that makes the link due again after RETRY_SECONDS. The end of the scan overwrites it,
 * unless the link was changed in the meantime.
 */
const LEASES: LeasedTable = {
  table: 'links',
  key: 'id',
  due: 'scanned_at',
  until: 'scanned_at',
  leaseMs: () => (RETRY_SECONDS - config.rescanSeconds) * 1000,
};

/** Flagged and archived links are not scanned: they do not redirect. */
const SCANNABLE = 'flagged_at IS NULL AND archived_at IS NULL';

/** Queried separately, because SQLite and PostgreSQL sort NULL at different ends of an index. */
const NEVER_SCANNED: DueRows = { where: `${SCANNABLE} AND scanned_at IS NULL`, dueAtMs: null };
const SCANNED_LONG_AGO = (): DueRows => ({ where: SCANNABLE, dueAtMs: clock.now() - config.rescanSeconds * 1000 });

export interface DueLinks {
  links: Link[];
  /** The parameter of `finishScans`. */
  claim: string;
}

/** Whether the scan of a link is due, or the review of a flag is requested. */
export async function hasDueLinks(): Promise<boolean> {
  if ((await hasDue(LEASES, NEVER_SCANNED)) || (await hasDue(LEASES, SCANNED_LONG_AGO()))) return true;
  return (await requestedReviews(1)).length > 0;
}

/** Claims links whose scan is due; links that were never scanned come first. */
export async function claimDueLinks(limit: number): Promise<DueLinks> {
  const never = await claimDue(LEASES, { ...NEVER_SCANNED, limit });
  const claimed = never.length > 0 ? never : await claimDue(LEASES, { ...SCANNED_LONG_AGO(), limit });
  return {
    links: await readRowsByIds(
      Link,
      claimed.map(({ key }) => key),
    ),
    claim: sqlTime(claimed[0]?.untilMs ?? 0),
  };
}

/**
 * Records the scan of claimed links. `passed`: nothing was found, so the verdict that an operator cleared is deleted. A link
 * that was changed during the scan stays due if its new URLs could not all be checked. Links are locked in the order of their
 * ids, as every writer of several links does: PostgreSQL would otherwise end a bulk change as a deadlock.
 */
export async function finishScans(ids: string[], claim: string, { passed }: { passed: boolean }): Promise<void> {
  const clearVerdict = passed ? ', cleared_verdict = NULL' : '';
  await inTransaction((transaction) =>
    withJsonRows(
      { id: 'text' },
      ids.map((id) => [id]),
      `, locked AS (SELECT id FROM links WHERE id IN (SELECT id FROM given) ORDER BY id ${rowLock('FOR NO KEY UPDATE')})
       UPDATE links SET scanned_at = $2 ${clearVerdict} WHERE id IN (SELECT id FROM locked) AND scanned_at = $3`,
      transaction,
      [sqlTime(clock.now()), claim],
    ),
  );
}

/** Links with a requested review of a scan's flag, oldest request first. */
export function requestedReviews(limit: number): Promise<Link[]> {
  return Link.findAll({
    where: {
      [Op.and]: [
        { flaggedBy: 'scan', reviewRequestedAt: { [Op.ne]: null } },
        literal(ofLiveProject('"Link"."project_id"')),
      ],
    },
    order: [['reviewRequestedAt', 'ASC']],
    limit,
  });
}
