import { dialect } from '../db/database.ts';
import { inTransaction } from '../db/inTransaction.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { selectBound } from '../db/selectBound.ts';
import type { Transaction } from '../db/sequelize.ts';
import type { Click } from './click.ts';

const COLUMNS = { id: 'text', clicks: 'integer', last: 'time' } as const;

/** PostgreSQL locks the links in the order of their ids first: whoever else changes several does the same. */
const RAISE = {
  sqlite: `UPDATE links SET clicks = links.clicks + given.clicks,
      last_clicked_at = MAX(COALESCE(links.last_clicked_at, given.last), given.last)
    FROM given WHERE links.id = given.id`,
  postgres: `, locked AS (
      SELECT links.id FROM links JOIN given ON given.id = links.id ORDER BY links.id FOR NO KEY UPDATE OF links
    )
    UPDATE links SET clicks = links.clicks + given.clicks, last_clicked_at = GREATEST(links.last_clicked_at, given.last)
    FROM given JOIN locked ON locked.id = given.id WHERE links.id = locked.id`,
};

const WAIT = 'INSERT INTO link_click_sums (link_id, clicks, last) SELECT id, clicks, last FROM given';

/** So many clicks come at once only when more wait. */
const FLOOD = 1000;

/**
 * Counts people on their links. That is no change of the link: `updated_at` stays. Deleted links are passed over.
 *
 * A link whose clicks change costs more than all that is stored of a click: two indexes, on PostgreSQL all of them (some
 * 75 µs). Popular links are in every chunk of a flood, so a flood's counts wait in `link_click_sums`: see `foldLinkCounts`.
 */
export async function addToLinks(clicks: readonly Click[], transaction: Transaction): Promise<void> {
  await withJsonRows(COLUMNS, countsOf(clicks), clicks.length >= FLOOD ? WAIT : RAISE[dialect()], transaction);
}

/** The same for clicks that use up no click limit: links that have one go without. */
export async function addToUnlimitedLinks(clicks: readonly Click[], transaction: Transaction): Promise<void> {
  const raise = `${RAISE[dialect()]} AND links.click_limit IS NULL`;
  await withJsonRows(COLUMNS, countsOf(clicks), raise, transaction);
}

/** People by link: id, clicks, the last one's time. */
function countsOf(clicks: readonly Click[]): [id: string, clicks: number, last: string][] {
  const counts = new Map<string, { clicks: number; lastMs: number }>();
  for (const { trafficClass, linkId, occurredAt } of clicks) {
    if (trafficClass !== 'human') continue;
    const before = counts.get(linkId) ?? { clicks: 0, lastMs: occurredAt };
    counts.set(linkId, { clicks: before.clicks + 1, lastMs: Math.max(before.lastMs, occurredAt) });
  }
  return [...counts].map(([id, { clicks, lastMs }]) => [id, clicks, sqlTime(lastMs)]);
}

const FOLD = {
  sqlite: [
    `WITH given AS (SELECT link_id AS id, SUM(clicks) AS clicks, MAX(last) AS last FROM link_click_sums GROUP BY 1)
     ${RAISE.sqlite}`,
    'DELETE FROM link_click_sums',
  ],
  postgres: [
    `WITH taken AS (DELETE FROM link_click_sums RETURNING link_id, clicks, last),
     given AS (SELECT link_id AS id, SUM(clicks) AS clicks, MAX(last) AS last FROM taken GROUP BY 1) ${RAISE.postgres}`,
  ],
};

/** Adds what waits to the links, whoever left it there. Call it when a flood is over, and every few seconds of one. */
export async function foldLinkCounts(transaction?: Transaction): Promise<void> {
  const [waiting] = await selectBound('SELECT 1 AS one FROM link_click_sums LIMIT 1', [], transaction);
  if (!waiting) return;
  if (!transaction) return inTransaction(foldLinkCounts);
  for (const sql of FOLD[dialect()]) await selectBound(sql, [], transaction);
}

/** Clicks of people on a link that are in the store; 0 when it is gone. */
export async function clicksOf(linkId: string): Promise<number> {
  const [row] = await selectBound<{ clicks: number }>(
    `SELECT CAST(clicks + COALESCE((SELECT SUM(clicks) FROM link_click_sums WHERE link_id = $1), 0) AS BIGINT) AS clicks
     FROM links WHERE id = $1`,
    [linkId],
  );
  return row?.clicks ?? 0;
}
