import { purgeQuotas } from '../src/access/counters.ts';
import { purgeIdempotencyRecords } from '../src/access/idempotencyStore.ts';
import { purgeAccounts } from '../src/accounts/purgeAccounts.ts';
import { resolveDailyLimitAlerts } from '../src/alerts/dailyLimitAlerts.ts';
import { purgeAlerts } from '../src/alerts/purgeAlerts.ts';
import { purgeMatchReports } from '../src/attribution/matchReportsStore.ts';
import { purgeAppActivity } from '../src/attribution/opensStore.ts';
import { purgeSeenInstalls } from '../src/attribution/seenInstallsStore.ts';
import { purgeUsedClicks } from '../src/attribution/usedClicksStore.ts';
import { purgeAudit } from '../src/audit/recordAudit.ts';
import { purgeClickDevices } from '../src/clicks/clickDeviceStore.ts';
import { purgeMatchClicks } from '../src/clicks/matchClickStore.ts';
import { purgeClicks } from '../src/clicks/purgeClicks.ts';
import { isStoreDown } from '../src/db/isStoreDown.ts';
import { purgeEvents } from '../src/events/eventStore.ts';
import { purgeHealthHistory } from '../src/health/healthStore.ts';
import { log } from '../src/kernel/log.ts';
import { purgeMails } from '../src/mail/mailQueue.ts';
import { purgeOrphans } from '../src/redirect/orphanStore.ts';
import { cancelHeldForTooLong, purgeDeletedWebhooks, purgeDeliveries } from '../src/webhooks/deliveryStore.ts';
import { atLeisure, type Purge } from './atLeisure.ts';

/** What is kept no longer, in the order in which it is deleted: what there is most of comes last. */
const PURGES: [about: string, begin: () => Purge][] = [
  ['answers to repeats', () => purgeIdempotencyRecords],
  ['quotas', () => purgeQuotas],
  ['what waited for a disabled webhook', () => cancelHeldForTooLong],
  ['sessions, invitations and password resets', () => purgeAccounts],
  ['mails', () => purgeMails],
  ['the history of health checks', () => purgeHealthHistory],
  ['alerts of days that are over', () => resolveDailyLimitAlerts],
  ['alerts', () => purgeAlerts],
  ['audit entries', () => purgeAudit],
  ['deliveries', () => purgeDeliveries],
  ['events', () => purgeEvents],
  ['deleted webhooks', () => purgeDeletedWebhooks],
  ['orphans', () => purgeOrphans],
  ['devices of clicks', () => purgeClickDevices],
  ['clicks to match with', () => purgeMatchClicks],
  ['installs seen at addresses', () => purgeSeenInstalls],
  ['used clicks', () => purgeUsedClicks],
  ['match reports', () => purgeMatchReports],
  ['openings and events of apps', () => purgeAppActivity],
  ['clicks', clicksFromTheOldest],
];

/**
 * Deletes what is kept no longer, and cancels what has waited for too long, in small batches until nothing is left; ends
 * soon after `signal` says that the process stops. One part that fails keeps none of the others from being done.
 */
export async function purgeOld(signal: AbortSignal): Promise<void> {
  for (const [about, begin] of PURGES) {
    try {
      await atLeisure(begin(), signal);
    } catch (error) {
      if (isStoreDown(error)) throw error;
      log.warn({ err: error, about }, 'what is old could not be deleted; it is tried again');
    }
  }
}

/** Some have to stay: each run walks over them once. */
function clicksFromTheOldest(): Purge {
  let at = '';
  return async (batch) => {
    const next = await purgeClicks(at, batch);
    at = next ?? '';
    return next !== null;
  };
}
