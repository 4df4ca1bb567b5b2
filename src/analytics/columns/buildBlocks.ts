import { QUARTER_MS, QUARTERS_A_DAY } from '../clicks/periods.ts';
import { selectBound } from '../db/selectBound.ts';
import { clock } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { besideRedirects } from './besideRedirects.ts';
import { buildDay, type DayToBuild } from './buildDay.ts';
import { type ProjectDay, uncountedBefore } from './uncountedDays.ts';

/** A click reaches the store within a second or so; one that comes later makes its block anew. */
const GRACE_MS = 15_000;
/** So many clicks of a day that is not over are worth a block: questions read fewer than these one by one. */
const WORTH_A_BLOCK = 1000;

/** Puts clicks into blocks and counts days that are over, until nothing is due. Throws what the store throws. */
export async function buildBlocks(): Promise<void> {
  const giveWay = besideRedirects();
  for (const day of await dueDays()) {
    const startedAt = performance.now();
    await buildDay(day, giveWay);
    log.debug({ ...day, milliseconds: Math.round(performance.now() - startedAt) }, 'clicks of a day put into blocks');
  }
}

/** Oldest first. A block that is out of date is due at once: questions read all of its clicks one by one until then. */
async function dueDays(): Promise<DayToBuild[]> {
  const closedBefore = Math.floor((clock.now() - GRACE_MS) / QUARTER_MS);
  const rows = await selectBound<{ project_id: string; day: number; clicks: number; outdated: number }>(
    `SELECT project_id, quarter / ${QUARTERS_A_DAY} AS day, CAST(SUM(clicks) AS BIGINT) AS clicks,
       SUM((SELECT COUNT(*) FROM click_blocks AS block WHERE block.project_id = backlog.project_id
         AND block.from_quarter > backlog.quarter - ${QUARTERS_A_DAY} AND block.from_quarter <= backlog.quarter
         AND block.to_quarter > backlog.quarter)) AS outdated
     FROM click_backlog AS backlog WHERE quarter < $1 GROUP BY 1, 2 ORDER BY 2, 1`,
    [closedBefore],
  );
  const today = Math.floor(closedBefore / QUARTERS_A_DAY);
  const due = rows
    .filter(({ day, clicks, outdated }) => day < today || clicks >= WORTH_A_BLOCK || Number(outdated) > 0)
    .map(({ project_id, day }) => ({ projectId: project_id, day }));
  const isListed = ({ projectId, day }: ProjectDay) =>
    due.some((other) => other.projectId === projectId && other.day === day);
  // What was killed between blocks and totals has left no backlog.
  const uncounted = (await uncountedBefore(today)).filter((day) => !isListed(day));
  return [...due, ...uncounted].map((day) => ({ ...day, closedBefore }));
}
