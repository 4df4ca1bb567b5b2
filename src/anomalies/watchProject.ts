import { inTransaction } from '../db/inTransaction.ts';
import { sliced } from '../kernel/sliced.ts';
import { passHours, type Watch } from './claimWatches.ts';
import type { DayCounts } from './countDay.ts';
import { type IncidentChange, prepareAlerts, writeAlerts } from './incidentAlerts.ts';
import { forgetBefore, readIncidents, type StoredIncident, writeIncidents } from './incidents.ts';
import { readDays } from './readDays.ts';
import { type Subject, subjectsOf, watchedUpTo } from './Subject.ts';
import { LEAST_EXPECTED } from './thresholds.ts';
import { watchHour } from './watchHour.ts';

const DAY_HOURS = 24;
/** Eight weeks, and the week before them that their level is compared with. */
const LOOKED_BACK_DAYS = 63;
/** After a longer pause only the last hours are looked at: who is told of yesterday's noon cannot do anything about it. */
const CAUGHT_UP_HOURS = 24;
/** A project is thin when it had no hour worth judging for so long. */
const THIN_DAYS = 14;

/**
 * Judges the whole hours of a project that were not looked at, with its busiest links, and writes what it found: incidents,
 * alerts and how far it came, in one transaction. Two who do so at once write one of it.
 */
export async function watchProject(watch: Watch, dueHour: number): Promise<void> {
  const { projectId } = watch;
  const firstHour = Math.max(watch.fromHour, dueHour - CAUGHT_UP_HOURS);
  const last = Math.floor((dueHour - 1) / DAY_HOURS);
  const from = last - LOOKED_BACK_DAYS;
  const days = await readDays(projectId, from, last);
  const incidents = await readIncidents(projectId, from * DAY_HOURS);
  const before = incidents.map((incident) => ({ ...incident }));
  const subjects = subjectsOf(projectId, days, { from, last }, incidents);
  const changes: IncidentChange[] = [];
  const giveWay = sliced();
  for (let hour = firstHour; hour < dueHour; hour += 1) {
    for (const subject of subjects) {
      judge({ subject, hour, fromHour: from * DAY_HOURS, incidents }, changes);
      await giveWay();
    }
  }
  const alerts = await prepareAlerts(projectId, changes, incidents);
  await inTransaction(async (transaction) => {
    if (!(await passHours(watch, dueHour, isThin(days, last, incidents), transaction))) return;
    const changed = incidents.filter((incident, at) => JSON.stringify(incident) !== JSON.stringify(before[at]));
    await writeIncidents(projectId, changed, transaction);
    await writeAlerts(changes, alerts, transaction);
    if (firstHour % DAY_HOURS === 0) await forgetBefore(projectId, from, transaction);
  });
}

interface Judged {
  subject: Subject;
  hour: number;
  fromHour: number;
  /** All of the project; what begins is added to it. */
  incidents: StoredIncident[];
}

function judge({ subject, hour, fromHour, incidents }: Judged, changes: IncidentChange[]): void {
  const own = (incident: StoredIncident) => incident.subjectId === subject.id;
  const open = incidents.filter((incident) => own(incident) && incident.untilHour === null);
  const outcome = watchHour(watchedUpTo(subject, fromHour, hour, incidents), open, hour);
  for (const { incident } of outcome.ended) {
    const stored = open.find(({ direction }) => direction === incident.direction);
    if (!stored) continue;
    Object.assign(stored, { untilHour: incident.untilHour, isUsualNow: incident.isUsualNow });
    changes.push({ incident: stored, began: null });
  }
  for (const { incident, judgement } of outcome.began) {
    const stored: StoredIncident = { ...incident, subjectId: subject.id, isTold: false };
    incidents.push(stored);
    changes.push({ incident: stored, began: { subject, judgement } });
  }
}

/** Whether a single hour with enough clicks is needed to make the project worth a look. */
function isThin(days: ReadonlyMap<number, DayCounts>, last: number, incidents: readonly StoredIncident[]): boolean {
  if (incidents.some(({ untilHour }) => untilHour === null)) return false;
  for (let day = last - THIN_DAYS; day <= last; day += 1) {
    const counts = days.get(day);
    if (counts && Math.max(...counts.people, ...counts.robots) >= LEAST_EXPECTED) return false;
  }
  return true;
}
