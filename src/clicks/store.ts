import { inTransaction } from '../db/inTransaction.ts';
import type { Transaction } from '../db/sequelize.ts';
import { storeMatchClicks } from '../matching/matchClicks.ts';
import { addToBacklog } from './backlog.ts';
import type { Click } from './click.ts';
import { insertClicks, type Listening } from './insertClicks.ts';
import { addToLinks, addToUnlimitedLinks } from './linkCounts.ts';
import { takeTurns } from './takeTurns.ts';

/**
 * Writes clicks with everything that counts them, in one transaction, and gives how many were new. A click whose id is
 * stored already changes nothing, so that whatever was cut short can be done again. `listening`: whether a project has
 * a webhook that waits for its clicks; they are marked for collectTraffic. Give it some 500 clicks at a time: preparing
 * more keeps the process from answering redirects.
 */
export async function storeClicks(clicks: readonly Click[], { listening }: { listening: Listening }): Promise<number> {
  if (clicks.length === 0) return 0;
  return inTransaction((transaction) => writeClicks(clicks, listening, transaction));
}

/** The same within a transaction. `unlimited`: the ids of clicks that use up no click limit. */
export async function writeClicks(
  clicks: readonly Click[],
  listening: Listening,
  transaction: Transaction,
  unlimited: ReadonlySet<string> = new Set(),
): Promise<number> {
  const distinct = [...new Map(clicks.map((click) => [click.id, click])).values()];
  const projectIds = distinct.map(({ projectId }) => projectId);
  await takeTurns(projectIds, transaction);
  const added = await insertClicks(distinct, listening, transaction);
  await addToBacklog(added, transaction);
  if (unlimited.size === 0) await addToLinks(added, transaction);
  else {
    const [free = [], counted = []] = [true, false].map((is) => added.filter(({ id }) => unlimited.has(id) === is));
    await addToLinks(counted, transaction);
    await addToUnlimitedLinks(free, transaction);
  }
  await storeMatchClicks(added, transaction);
  return added.length;
}
