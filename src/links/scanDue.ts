import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { claimDue, type DueRows, hasDue, type LeasedTable } from '../db/lease.ts';
import { readRowsByIds } from '../db/rows.ts';
import { Op } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock } from '../kernel/clock.ts';
import { config } from '../kernel/config.ts';
import { Link } from '../models/Link.ts';

/** A claimed link that was not scanned is due again after this: the process died, or a provider is down. */
const AGAIN_SECONDS = 600;

/**
 * The claim of a link is a time of scan that makes it due again after AGAIN_SECONDS; it is written over when the scan
 * ends, unless the link was changed meanwhile.
 */
const LEASES: LeasedTable = {
  table: 'links',
  key: 'id',
  due: 'scanned_at',
  until: 'scanned_at',
  leaseMs: () => (AGAIN_SECONDS - config.rescanSeconds) * 1000,
};

/** Links that lead somewhere. */
const WORKING = 'flagged_at IS NULL AND archived_at IS NULL';

/** In two queries: the stores do not agree where in an index rows without a time stand. */
const NEVER_SCANNED: DueRows = { where: `${WORKING} AND scanned_at IS NULL`, dueAtMs: null };
const SCANNED_LONG_AGO = (): DueRows => ({ where: WORKING, dueAtMs: clock.now() - config.rescanSeconds * 1000 });

export interface DueLinks {
  links: Link[];
  /** The parameter of `finishScans`. */
  claim: string;
}

/** Whether a link is to be scanned, or a flag of a scan to be reviewed. */
export async function hasDueLinks(): Promise<boolean> {
  if ((await hasDue(LEASES, NEVER_SCANNED)) || (await hasDue(LEASES, SCANNED_LONG_AGO()))) return true;
  return (await requestedReviews(1)).length > 0;
}

/** Claims links whose scan is due, those never scanned first. */
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
