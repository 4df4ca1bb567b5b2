import { inTransaction } from '../../db/inTransaction.ts';
import { selectBound } from '../../db/selectBound.ts';
import { clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { DAY_MS, dayOf } from '../../kernel/durations.ts';
import { StoreHangs } from '../../kernel/storeSilence.ts';
import { leasingLimiter } from './leasingLimiter.ts';
import type { Limiter } from './limiter.ts';

const ADD = `INSERT INTO rate_limits (key, points, expire) VALUES ($1, $2, $3)
  ON CONFLICT (key) DO UPDATE SET points = rate_limits.points + excluded.points RETURNING points`;

/** A counter must never hold up what it guards for long. */
const PATIENCE_MS = 1000;

/**
 * Counts by UTC day, in the store of either kind: a restart must not begin a day anew. A process takes a hundredth of
 * the limit at a time, and what it has not handed out when it stops is lost for that day.
 */
export function createDayLimiter(name: string, limit: number): Limiter {
  const limiter = leasingLimiter(limit, async (subject, points) => {
    const endsAtMs = (dayOf(clock.now()) + 1) * DAY_MS;
    const values = [`${name}:${subject}`, points, endsAtMs];
    const adding = inTransaction((transaction) => selectBound<{ points: number }>(ADD, values, transaction));
    const [row] = await within(adding, PATIENCE_MS, tooLate);
    return { taken: row?.points ?? points, msToReset: endsAtMs - clock.now() };
  });
  return {
    take: (subject, points) => limiter.take(`${subject} ${dayOf(clock.now())}`, points),
    close: limiter.close,
  };
}

function tooLate(): Error {
  return new StoreHangs(`the counter did not answer for ${PATIENCE_MS} ms`);
}
