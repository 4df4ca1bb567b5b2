import type { Bind } from '../../db/query.ts';
import type { Link } from '../../models/Link.ts';
import { linksInOrder } from '../linkStore.ts';
import { NEWEST_FIRST } from './linkScan.ts';
import { readLinkPositions } from './readLinks.ts';
import { searchCondition } from './searchCondition.ts';

/**
 * Characters of the end of a destination that are looked up, as many as a search may have: within a project beginnings are
 * alike and ends differ.
 */
const LOOKED_UP_CHARACTERS = 200;

/**
 * The newest links of a project with exactly this destination. They are looked up in the index of searches, because an
 * index of their own would be paid for by every creation; where it does not serve, the newest links are looked through.
 */
export async function linksTo(projectId: string, destination: string, most: number): Promise<Link[]> {
  const end = destination.slice(-LOOKED_UP_CHARACTERS).toWellFormed();
  const { condition, since } = await searchCondition(projectId, end);
  const test = (bind: Bind) => `links.destination = ${bind(destination)}`;
  const query = {
    projectId,
    conditions: [{ ...condition, test }],
    createdFrom: since,
    createdBefore: null,
  };
  const positions = await readLinkPositions(query, NEWEST_FIRST, null, most);
  return linksInOrder(positions.map(({ id }) => id));
}
