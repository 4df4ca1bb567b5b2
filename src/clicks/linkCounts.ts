import { dialect } from '../db/database.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';

const COLUMNS = { id: 'text', clicks: 'integer', last: 'time' } as const;

/** PostgreSQL locks the links in the order of their ids first: whoever else changes several does the same. */
const UPDATE = {
  sqlite: `UPDATE links SET clicks = links.clicks + given.clicks,
      last_clicked_at = MAX(COALESCE(links.last_clicked_at, given.last), given.last)
    FROM given WHERE links.id = given.id`,
  postgres: `, locked AS (
      SELECT links.id FROM links JOIN given ON given.id = links.id ORDER BY links.id FOR NO KEY UPDATE OF links
    )
    UPDATE links SET clicks = links.clicks + given.clicks, last_clicked_at = GREATEST(links.last_clicked_at, given.last)
    FROM given JOIN locked ON locked.id = given.id WHERE links.id = locked.id`,
};

/** Counts people on their links. That is no change of the link: `updated_at` stays. Deleted links are passed over. */
export async function addToLinks(clicks: Click[], transaction: Transaction): Promise<void> {
  const counts = new Map<string, { clicks: number; lastMs: number }>();
  for (const { trafficClass, linkId, occurredAt } of clicks) {
    if (trafficClass !== 'human') continue;
    const before = counts.get(linkId) ?? { clicks: 0, lastMs: occurredAt };
    counts.set(linkId, { clicks: before.clicks + 1, lastMs: Math.max(before.lastMs, occurredAt) });
  }
  const rows = [...counts].map(([id, { clicks, lastMs }]) => [id, clicks, sqlTime(lastMs)]);
  await withJsonRows(COLUMNS, rows, UPDATE[dialect()], transaction);
}
