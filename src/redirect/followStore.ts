import { yieldToEventLoop } from '../kernel/yield.ts';
import { type Follows, faded } from './FollowCounts.ts';
import { queryForRedirects } from './loadLink.ts';

// Which links each process has followed most: one row for each process, of PostgreSQL alone. Its clock decides, because those of
// processes may differ.

/** Links of a row: about 400 kB. */
export const REPORTED_LINKS = 10_000;
/** Rows that are read, those of the processes that were last heard of. */
const MOST_REPORTS = 16;
const KEPT = "INTERVAL '3 days'";

/** Says which links a process has followed most; `holder` is the name of its journal. Forgets processes that are long gone. */
export async function reportFollows(holder: string, follows: [linkId: string, follows: number][]): Promise<void> {
  await queryForRedirects(
    `INSERT INTO link_follows (holder, reported_at, follows) VALUES ($1, CURRENT_TIMESTAMP, $2)
     ON CONFLICT (holder) DO UPDATE SET reported_at = excluded.reported_at, follows = excluded.follows`,
    [holder, JSON.stringify(follows)],
  );
  await queryForRedirects(`DELETE FROM link_follows WHERE reported_at < CURRENT_TIMESTAMP - ${KEPT}`, []);
}

/** What a process itself said earlier, and what others have said together. */
export async function readFollows(holder: string): Promise<{ own: Follows; elsewhere: Follows }> {
  const rows = await queryForRedirects<{ holder: string; follows: string; ageMs: number }>(
    `SELECT holder, follows,
       CAST(EXTRACT(EPOCH FROM CURRENT_TIMESTAMP - reported_at) * 1000 AS FLOAT8) AS "ageMs"
     FROM link_follows WHERE reported_at > CURRENT_TIMESTAMP - ${KEPT} ORDER BY reported_at DESC LIMIT ${MOST_REPORTS}`,
    [],
  );
  const [own, elsewhere] = [new Map<string, number>(), new Map<string, number>()];
  const breathe = yieldToEventLoop();
  for (const row of rows) {
    const sums = row.holder === holder ? own : elsewhere;
    for (const [id, follows] of JSON.parse(row.follows) as [string, number][])
      sums.set(id, (sums.get(id) ?? 0) + faded(follows, row.ageMs));
    await breathe();
  }
  return { own, elsewhere };
}
