import { dialect } from '../../db/database.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { withJsonRows } from '../../db/jsonRows.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { forgetMatchClicks } from '../../matching/matchClicks.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import { addToBacklog } from '../backlog.ts';
import { foldLinkCounts } from '../linkCounts.ts';
import { takeTurns } from '../takeTurns.ts';

interface Reclassed {
  project_id: string;
  id: string;
  link_id: string;
  address_hash: string;
  /** Text on SQLite. */
  occurred_at: string | Date;
}

/**
 * Makes stored clicks that count as people's ones of a burst, with everything that counted them, in one transaction, and
 * gives their number. Clicks that are something else already, or not there, change nothing, so it may be done again.
 * Clicks that wait to be collected are told of as what they are now. Give it some 500 at a time.
 */
export async function reclassClicks(clicks: readonly { id: string; projectId: string }[]): Promise<number> {
  if (clicks.length === 0) return 0;
  const reason: TrafficReason = 'burst';
  const ids = clicks.map(({ id }) => id).sort();
  return inTransaction(async (transaction) => {
    await takeTurns(new Set(clicks.map(({ projectId }) => projectId)), transaction);
    const changed = await withJsonRows<Reclassed>(
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
    await takeFromLinks(changed, transaction);
    await forgetMatchClicks(moved, transaction);
    return changed.length;
  });
}

/** PostgreSQL locks the links in the order of their ids first: whoever else changes several does the same. */
const LOWER = {
  sqlite: `UPDATE links SET clicks = MAX(links.clicks - given.clicks, 0) FROM given WHERE links.id = given.id`,
  postgres: `, locked AS (
      SELECT links.id FROM links JOIN given ON given.id = links.id ORDER BY links.id FOR NO KEY UPDATE OF links
    )
    UPDATE links SET clicks = GREATEST(links.clicks - given.clicks, 0)
    FROM given JOIN locked ON locked.id = given.id WHERE links.id = locked.id`,
};

/** The moment of the last click stays: the one before it is not known. */
async function takeFromLinks(changed: Reclassed[], transaction: Transaction): Promise<void> {
  const counts = new Map<string, number>();
  for (const { link_id } of changed) counts.set(link_id, (counts.get(link_id) ?? 0) + 1);
  // What waits to be added may be what is taken away here.
  await foldLinkCounts(transaction);
  await withJsonRows({ id: 'text', clicks: 'integer' }, [...counts], LOWER[dialect()], transaction);
}
