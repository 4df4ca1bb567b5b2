import type { QuotaState } from '../access/quotas.ts';
import { sqlTime } from '../db/jsonRows.ts';
import { ofStore } from '../db/ofStore.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { clock, DAY_MS, dayOf } from '../kernel/clock.ts';
import { log } from '../kernel/log.ts';
import { whileSame } from '../kernel/memoize.ts';
import { raiseAlert } from './raiseAlert.ts';

interface LimitOwner {
  projectId: string;
  teamId: string;
}

/** Used part of a limit from which on the alert is raised. */
const WARNING_SHARE = 0.8;
const INCIDENT = 'day_of_apps';

const SETTING_NAMES: Partial<Record<QuotaState['of'], string>> = {
  events: 'SDK_EVENTS_PER_DAY',
  'new installs': 'SDK_INSTALLS_PER_DAY',
};

/** Incidents of today that this process has raised, so that it does not ask the store for every request. */
const raisedOnDay = ofStore(() =>
  whileSame(
    () => dayOf(clock.now()),
    () => new Set<string>(),
  ),
);

/**
 * Raises an alert when a project has used 80 % of what its apps may send in a day; once for each project, limit and UTC
 * day. Returns at once: the alert is written in the background.
 */
export function warnOfDailyLimit(owner: LimitOwner, state: QuotaState): void {
  const { name, limit, remaining } = state;
  if (state.per !== 'day' || name === 'addressInstalls' || limit - remaining < limit * WARNING_SHARE) return;
  const raisedToday = raisedOnDay()();
  const day = dayOf(clock.now());
  const incident = `${INCIDENT}:${owner.projectId}:${name}:${day}`;
  if (raisedToday.has(incident)) return;
  raisedToday.add(incident);
  raise(owner, state, incident).catch((error) => {
    raisedToday.delete(incident);
    log.warn({ err: error, project: owner.projectId }, 'the alert for a daily limit could not be raised');
  });
}

async function raise({ projectId, teamId }: LimitOwner, { of, limit }: QuotaState, incident: string): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const consequence = of === 'events' ? 'further events are refused' : 'new installs are answered without a match';
  await inTransaction((transaction) =>
    raiseAlert(transaction, {
      ...{ teamId, projectId, incident },
      kind: 'billing',
      severity: 'warning',
      title: `A project has used 80 % of its daily ${of}`,
      message:
        `Apps can send at most ${limit} ${of} a day (UTC). After that, ${consequence} until midnight UTC. ` +
        'If your apps do not send that many, someone else may be using your publishable key: check Installs, and roll ' +
        `the key with your next release. The operator of this service can raise ${SETTING_NAMES[of]}.`,
      details: { of: of.replace(' ', '_'), limit, day },
    }),
  );
}

/** Resolves the alerts of past days. Returns false: there is never more to do. */
export async function resolveDailyLimitAlerts(): Promise<boolean> {
  const now = sqlTime(clock.now());
  const startOfDay = sqlTime(dayOf(clock.now()) * DAY_MS);
  await inTransaction((transaction) =>
    queryRaw(
      `UPDATE alerts SET resolved_at = $1, updated_at = $1
       WHERE resolved_at IS NULL AND incident >= $2 AND incident < $3 AND created_at < $4`,
      [now, `${INCIDENT}:`, `${INCIDENT};`, startOfDay],
      transaction,
    ),
  );
  return false;
}
