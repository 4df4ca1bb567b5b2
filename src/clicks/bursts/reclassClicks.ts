import { withJsonRows } from '../../db/jsonRows.ts';
import { inTransaction } from '../../db/transactions.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import { addToBacklog } from '../backlogStore.ts';
import { subtractFromLinks } from '../linkCountStore.ts';
import { forgetMatchClicks } from '../matchClickStore.ts';

interface ReclassedClick {
  project_id: string;
  id: string;
  link_id: string;
  address_hash: string;
  /** Text on SQLite. */
  occurred_at: string | Date;
}

/**
 * Re-classes stored clicks of people as ones of a burst and corrects all their counts, in one transaction; returns the number of
 * re-classed clicks. Clicks of another class and missing ones are skipped, so a repeated call changes nothing. Events of clicks
 * that still wait for `collectTraffic` will have the new class.
 */
export async function reclassClicks(clicks: readonly { id: string }[]): Promise<number> {
  if (clicks.length === 0) return 0;
  const reason: TrafficReason = 'burst';
  const ids = clicks.map(({ id }) => id).sort();
  return inTransaction(async (transaction) => {
    const changed = await withJsonRows<ReclassedClick>(
      { id: 'text' },
      ids.map((id) => [id]),
      `UPDATE clicks SET traffic_class = $2, traffic_reason = $3
       WHERE id IN (SELECT id FROM given) AND traffic_class = 'human' RETURNING id, project_id, link_id, address_hash, occurred_at`,
      transaction,
      [trafficClass(reason), reason],
    );
    const moved = changed.map(({ id, project_id, address_hash, occurred_at }) => ({
      id,
      projectId: project_id,
      addressHash: address_hash,
      occurredAt: new Date(occurred_at).getTime(),
    }));
    await addToBacklog(moved, transaction);
    await subtractFromLinks(
      changed.map(({ link_id }) => link_id),
      transaction,
    );
    await forgetMatchClicks(moved, transaction);
    return changed.length;
  });
}
