import { dialect } from '../db/database.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';

/** Adds people's clicks to `clicks` and `last_clicked_at` of their links; that is no change of a link. */
export async function addToLinks(clicks: Click[], transaction: Transaction): Promise<void> {
  const byLink = new Map<string, { count: number; last: number }>();
  for (const { linkId, trafficClass, occurredAt } of clicks) {
    if (trafficClass !== 'human') continue;
    const { count, last } = byLink.get(linkId) ?? { count: 0, last: 0 };
    byLink.set(linkId, { count: count + 1, last: Math.max(last, occurredAt) });
  }
  if (byLink.size === 0) return;
  const isPostgres = dialect() === 'postgres';
  // Rows are locked in the order of their ids, so that two processes with the same links don't deadlock.
  const locked =
    ', locked AS (SELECT l.id FROM links l JOIN given g ON g.id = l.id ORDER BY l.id FOR NO KEY UPDATE OF l)';
  await withJsonRows(
    { id: 'text', count: 'integer', last: 'time' },
    [...byLink].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, { count, last }]) => [id, count, sqlTime(last)]),
    `${isPostgres ? locked : ''} UPDATE links SET clicks = links.clicks + given.count,
       last_clicked_at = ${isPostgres ? 'GREATEST' : 'MAX'}(COALESCE(links.last_clicked_at, given.last), given.last)
       FROM given${isPostgres ? ' JOIN locked ON locked.id = given.id' : ''} WHERE links.id = given.id`,
    transaction,
  );
}
