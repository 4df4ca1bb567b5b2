import { ofLiveProject } from '../../access/notDeleted.ts';
import { backlogBy } from '../../clicks/backlogStore.ts';
import { queryRaw } from '../../db/query.ts';
import { clock, QUARTER_MS, QUARTERS_A_DAY } from '../../kernel/clock.ts';
import { log } from '../../kernel/log.ts';
import { yieldToRedirects } from '../../kernel/yield.ts';
import { type ProjectDay, uncountedDaysBefore } from './blockStore.ts';
import { buildDay, type DayToBuild } from './buildDay.ts';
import { withDayLease } from './dayLeases.ts';

/** Clicks mostly reach the store within a second; one that comes later than this outdates its block. */
const GRACE_MS = 15_000;
/** Clicks of the current day that are worth a block; queries read fewer ones row by row. */
const WORTH_A_BLOCK = 1000;

/**
 * Builds the blocks and day totals that are due. Several processes share the days out: a day that another one builds is left to
 * it. Throws the store's errors.
 */
export async function buildBlocks(): Promise<void> {
  const yieldNow = yieldToRedirects();
  for (const day of await dueDays()) {
    const startedAt = performance.now();
    const isBuilt = await withDayLease(day, (renew) =>
      buildDay(day, async () => {
        await yieldNow();
        await renew();
      }),
    );
    const milliseconds = Math.round(performance.now() - startedAt);
    if (isBuilt) log.debug({ ...day, milliseconds }, 'clicks of a day put into blocks');
  }
}

/** Oldest first. An outdated block is due at once, because queries read all of its clicks row by row until it is rebuilt. */
async function dueDays(): Promise<DayToBuild[]> {
  const closedBefore = Math.floor((clock.now() - GRACE_MS) / QUARTER_MS);
  const rows = await queryRaw<{ project_id: string; day: number; clicks: number; outdated: number }>(
    `SELECT project_id, quarter / ${QUARTERS_A_DAY} AS day, CAST(SUM(clicks) AS BIGINT) AS clicks,
       SUM((SELECT COUNT(*) FROM click_blocks AS block WHERE block.project_id = backlog.project_id
         AND block.from_quarter > backlog.quarter - ${QUARTERS_A_DAY} AND block.from_quarter <= backlog.quarter
         AND block.to_quarter > backlog.quarter)) AS outdated
     FROM (${backlogBy('quarter < $1')}) AS backlog WHERE ${ofLiveProject('backlog.project_id')} GROUP BY 1, 2 ORDER BY 2, 1`,
    [closedBefore],
  );
  const today = Math.floor(closedBefore / QUARTERS_A_DAY);
  const due = rows
    .filter(({ day, clicks, outdated }) => day < today || clicks >= WORTH_A_BLOCK || Number(outdated) > 0)
    .map(({ project_id, day }) => ({ projectId: project_id, day }));
  const isListed = ({ projectId, day }: ProjectDay) =>
    due.some((other) => other.projectId === projectId && other.day === day);
  // A process killed between blocks and totals leaves no backlog.
  const uncounted = (await uncountedDaysBefore(today)).filter((day) => !isListed(day));
  return [...due, ...uncounted].map((day) => ({ ...day, closedBefore }));
}
