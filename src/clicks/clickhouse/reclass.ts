import { inTransaction } from '../../db/transactions.ts';
import { type TrafficReason, trafficClass } from '../../routing/trafficReason.ts';
import { subtractFromLinks } from '../linkCountStore.ts';
import { forgetMatchClicks } from '../matchClickStore.ts';
import { literal, literalList } from './connection.ts';
import { addToQueue, moveQueued, RECLASSED, reclassQueued } from './queueStore.ts';
import { ALL_COLUMNS, clickOf, selectClicks } from './rows.ts';
import { CLICKS } from './table.ts';

const REASON: TrafficReason = 'burst';
const AS_SCANNER = { trafficClass: trafficClass(REASON), trafficReason: REASON };

/**
 * Puts new versions of these clicks into the queue, with the correction of all counts in the same transaction, and moves them.
 * A click that is in the queue already was corrected before. Returns the number of corrected clicks.
 */
export async function reclass(
  clicks: readonly { id: string; projectId: string; occurredAt: number }[],
): Promise<number> {
  if (clicks.length === 0) return 0;
  const times = clicks.map(({ occurredAt }) => occurredAt);
  const rows = await selectClicks(
    `SELECT ${ALL_COLUMNS} FROM ${CLICKS}
     WHERE project_id IN ${literalList([...new Set(clicks.map(({ projectId }) => projectId))])}
       AND occurred_ms >= ${literal(Math.min(...times))} AND occurred_ms <= ${literal(Math.max(...times))}
       AND id IN ${literalList(clicks.map(({ id }) => id))} AND traffic_class = 'human' ORDER BY id`,
  );
  const changed = rows.map((row) => ({ ...clickOf(row), ...AS_SCANNER }));
  const corrected = await inTransaction(async (transaction) => {
    const added = await addToQueue('store', changed, RECLASSED, transaction);
    const moved = changed.filter(({ id }) => added.has(id));
    await subtractFromLinks(
      moved.map(({ linkId }) => linkId),
      transaction,
    );
    await forgetMatchClicks(moved, transaction);
    await reclassQueued([...added], AS_SCANNER, transaction);
    return moved.length;
  });
  // Otherwise the same clicks would be found as people's again.
  await moveQueued();
  return corrected;
}
