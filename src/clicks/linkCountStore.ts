import { dialect, isStoreShared } from '../db/connection/database.ts';
import { sqlTime, withJsonRows } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import type { Transaction } from '../db/sequelize.ts';
import { inTransaction } from '../db/transactions.ts';
import type { Click } from './click.ts';
import { LOWER_SHARES } from './shareStore.ts';

const COLUMNS = { id: 'text', clicks: 'integer', last: 'time' } as const;

/** PostgreSQL first locks the links in the order of their ids, as every writer of several links does. */
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

/** Clicks of a journal are taken from the shares of its process in the transaction that counts them. */
const WAIT_AND_LOWER_SHARES = `, ${LOWER_SHARES} ${WAIT}`;

/** A batch of this size means that more clicks wait. */
const FLOOD = 1000;

/**
 * Counts the clicks of people on their links. `updated_at` stays, because the link itself does not change. Deleted links are
 * skipped.
 *
 * Updating a link costs more than storing a click: two indexes change, on PostgreSQL all of them (some 75 µs). Popular links
 * are in every chunk of a flood, so its counts are collected in `link_click_sums` first: see `foldLinkCounts`. So are
 * those of journals on a store that several processes share: the rows of popular links would make them take turns.
 */
export async function addToLinks(
  clicks: readonly Click[],
  transaction: Transaction,
  { isDrained = false, journal = null }: Drained = {},
): Promise<void> {
  const counts = countsOf(clicks);
  if (isDrained && isStoreShared() && journal !== null) {
    await withJsonRows(COLUMNS, counts, WAIT_AND_LOWER_SHARES, transaction, [journal]);
    return;
  }
  const isCollected = clicks.length >= FLOOD || (isDrained && isStoreShared());
  await withJsonRows(COLUMNS, counts, isCollected ? WAIT : RAISE[dialect()], transaction);
}

/** Whether clicks come from a journal, whose drain calls `foldLinkCounts`; and the name of that journal, if it is known. */
export interface Drained {
  isDrained?: boolean;
  journal?: string | null;
}

/** The same for clicks that do not count against a click limit: links that have one are skipped. */
export async function addToUnlimitedLinks(clicks: readonly Click[], transaction: Transaction): Promise<void> {
  const raise = `${RAISE[dialect()]} AND links.click_limit IS NULL`;
  await withJsonRows(COLUMNS, countsOf(clicks), raise, transaction);
}

/** Clicks of people by link: the link's id, their number, the time of the last one. */
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

/** Whether collected counts wait, such as those of a process that was killed in a flood. */
export async function hasWaitingCounts(transaction?: Transaction): Promise<boolean> {
  return (await queryRaw('SELECT 1 AS one FROM link_click_sums LIMIT 1', [], transaction)).length > 0;
}

/** Adds collected counts of all processes to the links, all that are there when the transaction gets to it. */
async function foldAll(transaction: Transaction): Promise<void> {
  for (const sql of FOLD[dialect()]) await queryRaw(sql, [], transaction);
}

/** Two statements, because one does not see the row that it inserts. */
const TURN = [
  "INSERT INTO click_fold_turns (id) VALUES ('links') ON CONFLICT (id) DO NOTHING",
  "SELECT id FROM click_fold_turns WHERE id = 'links' FOR UPDATE SKIP LOCKED",
];

/** Whether it is this process's turn, until the end of the transaction. Waits for nobody but the first turn of all. */
async function takesTurn(transaction: Transaction): Promise<boolean> {
  if (!isStoreShared()) return true;
  let rows: object[] = [];
  for (const sql of TURN) rows = await queryRaw(sql, [], transaction);
  return rows.length > 0;
}

/**
 * Adds collected counts of all processes to the links. Called when a journal was emptied, and every few seconds during a
 * flood. One process at a time does it, and nobody waits for it: what it does not see is added by the next call of any process.
 */
export async function foldLinkCounts(): Promise<void> {
  if (!(await hasWaitingCounts())) return;
  await inTransaction(async (transaction) => {
    if (await takesTurn(transaction)) await foldAll(transaction);
  });
}

const LOWER = {
  sqlite: `UPDATE links SET clicks = MAX(links.clicks - given.clicks, 0) FROM given WHERE links.id = given.id`,
  postgres: `, locked AS (
      SELECT links.id FROM links JOIN given ON given.id = links.id ORDER BY links.id FOR NO KEY UPDATE OF links
    )
    UPDATE links SET clicks = GREATEST(links.clicks - given.clicks, 0)
    FROM given JOIN locked ON locked.id = given.id WHERE links.id = locked.id`,
};

/**
 * Takes a click from a link for each time that its id is listed. The time of the last click stays, because the one before it
 * is not known.
 */
export async function subtractFromLinks(linkIds: readonly string[], transaction: Transaction): Promise<void> {
  const counts = new Map<string, number>();
  for (const id of linkIds) counts.set(id, (counts.get(id) ?? 0) + 1);
  // The clicks may still be among the collected counts.
  if (await hasWaitingCounts(transaction)) await foldAll(transaction);
  await withJsonRows({ id: 'text', clicks: 'integer' }, [...counts], LOWER[dialect()], transaction);
}

/** Stored clicks of people on a link; 0 when it was deleted. */
export async function clicksOf(linkId: string): Promise<number> {
  const [row] = await queryRaw<{ clicks: number }>(
    `SELECT CAST(clicks + COALESCE((SELECT SUM(clicks) FROM link_click_sums WHERE link_id = $1), 0) AS BIGINT) AS clicks
     FROM links WHERE id = $1`,
    [linkId],
  );
  return row?.clicks ?? 0;
}
