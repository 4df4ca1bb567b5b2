import { purgeAnswers } from '../src/access/idempotency/records.ts';
import { purgeQuotas } from '../src/access/quotas/purgeQuotas.ts';
import { purgeReports } from '../src/apps/matchReports.ts';
import { purgeAppActivity } from '../src/apps/purgeAppActivity.ts';
import { purgeUsedClicks } from '../src/apps/usedClicks.ts';
import { givingWay } from '../src/clicks/givingWay.ts';
import { purgeClicks } from '../src/clicks/purgeClicks.ts';
import { inTransaction } from '../src/db/inTransaction.ts';
import { purgeMatchClicks } from '../src/matching/matchClicks.ts';
import { purgeClickDevices } from '../src/matching/purgeClickDevices.ts';
import { purgeOrphans } from '../src/redirect/purgeOrphans.ts';
import { cancelHeld, webhooksHeldForTooLong } from '../src/webhooks/cancelHeld.ts';
import { purgeSome } from '../src/webhooks/purge.ts';

/** Rows deleted at once. */
const BATCH = 500;

/**
 * Deletes what is kept no longer, and cancels what has waited for too long, in small batches until nothing is left; ends
 * soon after `signal` says that the process stops.
 */
export async function purgeOld(signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await purgeAnswers(BATCH)) === BATCH);
  while (!signal.aborted && (await purgeQuotas()));
  const held = await webhooksHeldForTooLong();
  while (!signal.aborted && held.length > 0) {
    if ((await inTransaction((transaction) => cancelHeld(held, transaction))) === 0) break;
  }
  while (!signal.aborted && (await purgeSome()));
  await purgeTraffic(signal);
}

/** Of apps, and what they are matched with. */
const OF_APPS = [purgeClickDevices, purgeMatchClicks, purgeUsedClicks, purgeReports, purgeAppActivity];

/** There may be very many of them, of which no hurry is: whatever else the process has to do goes first. */
async function purgeTraffic(signal: AbortSignal): Promise<void> {
  const giveWay = givingWay(() => false);
  while (!signal.aborted && (await purgeOrphans())) await giveWay();
  for (const purge of OF_APPS) while (!signal.aborted && (await purge(BATCH))) await giveWay();
  for (let at = await purgeClicks(); at !== null && !signal.aborted; at = await purgeClicks(at)) await giveWay();
}
