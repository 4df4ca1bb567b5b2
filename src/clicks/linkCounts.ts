import type { Transaction } from 'sequelize';
import { dialect } from '../db/database.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import type { Click } from './click.ts';

export async function addToLinks(clicks: Click[], transaction: Transaction): Promise<void> {
  const m = new Map<string, { count: number; last: number }>();
  for (const c of clicks) {
    if (c.trafficClass !== 'human') continue;
    const e = m.get(c.linkId);
    if (e) {
      e.count++;
      e.last = Math.max(e.last, c.occurredAt);
    } else m.set(c.linkId, { count: 1, last: c.occurredAt });
  }
  const rows = [...m].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, e]) => [id, e.count, sqlTime(e.last)]);
  await withJsonRows(
    { id: 'text', count: 'integer', last: 'time' },
    rows,
    dialect() === 'postgres' && process.env.LOCK
      ? `, locked AS (SELECT links.id FROM links JOIN given ON given.id = links.id ORDER BY links.id FOR NO KEY UPDATE OF links)
       UPDATE links SET clicks = links.clicks + given.count, last_clicked_at = GREATEST(links.last_clicked_at, given.last) FROM given JOIN locked ON locked.id = given.id WHERE links.id = locked.id`
      : `UPDATE links SET clicks = links.clicks + given.count, last_clicked_at = ${dialect() === 'postgres' ? 'GREATEST' : 'MAX'}(COALESCE(links.last_clicked_at, given.last), given.last) FROM given WHERE links.id = given.id`,
    transaction,
  );
}
