import { raiseAlert } from '../../alerts/raiseAlert.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import { sqlTime } from '../../db/jsonRows.ts';
import { selectBound } from '../../db/selectBound.ts';
import { clock } from '../../kernel/clock.ts';
import { DAY_MS, dayOf } from '../../kernel/durations.ts';
import { log } from '../../kernel/log.ts';
import type { QuotaState } from './quotas.ts';

/** Whose day it is. */
interface Owner {
  projectId: string;
  teamId: string;
}

const SHARE = 0.8;
const INCIDENT = 'day_of_apps';

const SETTING_NAMES: Partial<Record<QuotaState['of'], string>> = {
  events: 'SDK_EVENTS_PER_DAY',
  'new installs': 'SDK_INSTALLS_PER_DAY',
};

/** Incidents of today that this process has told of. */
const told = new Set<string>();
let toldOn = 0;

/** Raises an alert, once for each project, limit and UTC day, when what apps may send in a day is nearly used up. Never waits. */
export function warnOfDay(owner: Owner, state: QuotaState): void {
  const { name, limit, remaining } = state;
  if (state.per !== 'day' || name === 'addressInstalls' || limit - remaining < limit * SHARE) return;
  const day = dayOf(clock.now());
  if (day !== toldOn) told.clear();
  toldOn = day;
  const incident = `${INCIDENT}:${owner.projectId}:${name}:${day}`;
  if (told.has(incident)) return;
  told.add(incident);
  raise(owner, state, incident).catch((error) => {
    told.delete(incident);
    log.warn(
      { err: error, project: owner.projectId },
      'nobody could be told that the day of a project is nearly used up',
    );
  });
}

async function raise({ projectId, teamId }: Owner, { of, limit }: QuotaState, incident: string): Promise<void> {
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const lost = of === 'events' ? 'its events are refused' : 'new installs get answers without a match';
  await inTransaction((transaction) =>
    raiseAlert(transaction, {
      ...{ teamId, projectId, incident },
      kind: 'billing',
      severity: 'warning',
      title: `Apps have sent 80 % of the ${of} that a project may send in a day`,
      message:
        `At most ${limit} ${of} are taken on one day (UTC). Once they are used up, ${lost} until midnight. ` +
        `If your apps do not send that many, somebody else uses your publishable key: look at Installs, and roll the key ` +
        `in your next release. The operator of this service can raise ${SETTING_NAMES[of]}.`,
      details: { of: of.replace(' ', '_'), limit, day },
    }),
  );
}

/** Resolves alerts of days that are over. */
export async function resolvePastDays(): Promise<boolean> {
  const now = sqlTime(clock.now());
  const today = sqlTime(dayOf(clock.now()) * DAY_MS);
  await inTransaction((transaction) =>
    selectBound(
      `UPDATE alerts SET resolved_at = $1, updated_at = $1
       WHERE resolved_at IS NULL AND incident >= $2 AND incident < $3 AND created_at < $4`,
      [now, `${INCIDENT}:`, `${INCIDENT};`, today],
      transaction,
    ),
  );
  return false;
}
