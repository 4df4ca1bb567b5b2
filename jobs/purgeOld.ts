import { purgeQuotas } from '../src/access/counters.ts';
import { purgeIdempotencyRecords } from '../src/access/idempotencyStore.ts';
import { purgeAccounts } from '../src/accounts/purgeAccounts.ts';
import { purgeDeletedAccounts } from '../src/accounts/purgeDeletedAccounts.ts';
import { resolveDailyLimitAlerts } from '../src/alerts/dailyLimitAlerts.ts';
import { purgeAlerts } from '../src/alerts/purgeAlerts.ts';
import { purgeMatchReports } from '../src/attribution/matchReportsStore.ts';
import { purgeAppActivity } from '../src/attribution/opensStore.ts';
import { purgeSeenInstalls } from '../src/attribution/seenInstallsStore.ts';
import { purgeUsedClicks } from '../src/attribution/usedClicksStore.ts';
import { purgeAudit } from '../src/audit/recordAudit.ts';
import { purgeClickDevices } from '../src/clicks/clickDeviceStore.ts';
import { purgeProgress } from '../src/clicks/clickhouse/queueStore.ts';
import { dropMatchClicks, purgeMatchClicks } from '../src/clicks/matchClickStore.ts';
import { dropClicks, purgeClicks } from '../src/clicks/purgeClicks.ts';
import { isStoreDown } from '../src/db/storeFailures.ts';
import { dropEvents, purgeEvents } from '../src/events/eventStore.ts';
import { purgeHealthHistory } from '../src/health/healthStore.ts';
import { purgeImports } from '../src/imports/importStore.ts';
import { log } from '../src/kernel/log.ts';
import { purgeMails } from '../src/mail/mailQueue.ts';
import { purgeOrphans } from '../src/redirect/orphanStore.ts';
import { purgeBatchedEvents } from '../src/webhooks/batchStore.ts';
import {
  cancelHeldForTooLong,
  dropDeliveries,
  purgeDeletedWebhooks,
  purgeDeliveries,
} from '../src/webhooks/deliveryStore.ts';
import { type Purge, purgeInBatches } from './purgeInBatches.ts';

/** Everything with a retention, in the order of deletion: the largest tables come last. */
const PURGES: [about: string, begin: () => Purge][] = [
  ['answers for idempotency keys', () => purgeIdempotencyRecords],
  ['quotas', () => purgeQuotas],
  ['deliveries that waited too long for a disabled webhook', () => cancelHeldForTooLong],
  ['sessions, invitations and password resets', () => purgeAccounts],
  ['deleted accounts', () => purgeDeletedAccounts],
  ['mails', () => purgeMails],
  ['the history of health checks', () => purgeHealthHistory],
  ['daily alerts of past days', () => resolveDailyLimitAlerts],
  ['alerts', () => purgeAlerts],
  ['audit entries', () => purgeAudit],
  ['partitions of deliveries', () => once(dropDeliveries)],
  ['deliveries', () => purgeDeliveries],
  ['places of events in deleted deliveries', () => passing(purgeBatchedEvents)],
  ['partitions of events', () => once(dropEvents)],
  ['events', () => passing(purgeEvents)],
  ['deleted webhooks', () => purgeDeletedWebhooks],
  ['imports', () => purgeImports],
  ['counts of visits without a link', () => purgeOrphans],
  ['devices of clicks', () => purgeClickDevices],
  ['partitions of clicks for matching', () => once(dropMatchClicks)],
  ['clicks for matching', () => purgeMatchClicks],
  ['installs seen at addresses', () => purgeSeenInstalls],
  ['used clicks', () => purgeUsedClicks],
  ['match reports', () => purgeMatchReports],
  ['openings and events of apps', () => purgeAppActivity],
  ['partitions of clicks', () => once(dropClicks)],
  ['clicks', () => passing(purgeClicks)],
  ['progress of journals', () => purgeProgress],
];

/**
 * Deletes everything past its retention, and cancels deliveries that have waited too long, in small batches. Returns soon
 * after `signal` aborts. A part that fails does not prevent the others.
 */
export async function purgeOld(signal: AbortSignal): Promise<void> {
  for (const [about, begin] of PURGES) {
    try {
      await purgeInBatches(begin(), signal);
    } catch (error) {
      if (isStoreDown(error)) throw error;
      log.warn({ err: error, about }, 'cannot delete old rows; trying again later');
    }
  }
}

/** What is not done in batches. */
function once(work: () => Promise<void>): Purge {
  return async () => {
    await work();
    return false;
  };
}

/** Rows that must stay are passed once in each run. */
function passing(purge: (after: string, batch: number) => Promise<string | null>): Purge {
  let at = '';
  return async (batch) => {
    const next = await purge(at, batch);
    at = next ?? '';
    return next !== null;
  };
}
