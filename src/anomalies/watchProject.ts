import { BACKLOG } from '../clicks/backlogStore.ts';
import { hasClickHouse } from '../clicks/clickhouse/connection.ts';
import { inList, inListValue } from '../db/dialects.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { QUARTERS_A_DAY } from '../kernel/clock.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import { countOfProjects } from './clickHouseDays.ts';
import { decideHour } from './decide/decideHour.ts';
import { DAY_HOURS, HOUR_MS } from './decide/Track.ts';
import { LEAST_EXPECTED } from './decide/thresholds.ts';
import { type IncidentChange, prepareAlerts, writeAlerts } from './incidentAlerts.ts';
import { forgetBefore, readIncidents, type StoredIncident, writeIncidents } from './incidentStore.ts';
import { type DayCounts, readDays } from './readDays.ts';
import { type Subject, subjectsOf, watchedUpTo } from './Subject.ts';
import { passHours, type Watch } from './trafficWatches.ts';

/** Eight weeks, and the week before with which their level is compared. */
const LOOKED_BACK_DAYS = 63;
/** After a longer pause only this many hours are assessed: an alert about older ones would come too late to be useful. */
const CAUGHT_UP_HOURS = 24;
/** A project is thin after this many days without an hour that is worth assessing. */
const THIN_DAYS = 14;

/**
 * Assesses the hours of a project that were not assessed yet, with its busiest links, and writes incidents, alerts and its progress in
 * one transaction. Of two processes that do so at once, one writes.
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
  const yieldNow = yieldToEventLoop();
  for (let hour = firstHour; hour < dueHour; hour += 1) {
    for (const subject of subjects) {
      applyDecision({ subject, hour, fromHour: from * DAY_HOURS, incidents }, changes);
      await yieldNow();
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

interface SubjectHour {
  subject: Subject;
  hour: number;
  fromHour: number;
  /** All incidents of the project; new ones are added. */
  incidents: StoredIncident[];
}

function applyDecision({ subject, hour, fromHour, incidents }: SubjectHour, changes: IncidentChange[]): void {
  const own = (incident: StoredIncident) => incident.subjectId === subject.id;
  const open = incidents.filter((incident) => own(incident) && incident.untilHour === null);
  const decision = decideHour(watchedUpTo(subject, fromHour, hour, incidents), open, hour);
  for (const { incident } of decision.ended) {
    const stored = open.find(({ direction }) => direction === incident.direction);
    if (!stored) continue;
    Object.assign(stored, { untilHour: incident.untilHour, isUsualNow: incident.isUsualNow });
    changes.push({ incident: stored, began: null });
  }
  for (const { incident, assessment } of decision.began) {
    const stored: StoredIncident = { ...incident, subjectId: subject.id, isNotified: false };
    incidents.push(stored);
    changes.push({ incident: stored, began: { subject, assessment } });
  }
}

/** Whether the project has had too little traffic to assess for THIN_DAYS, and has no open incident. */
function isThin(days: ReadonlyMap<number, DayCounts>, last: number, incidents: readonly StoredIncident[]): boolean {
  if (incidents.some(({ untilHour }) => untilHour === null)) return false;
  for (let day = last - THIN_DAYS; day <= last; day += 1) {
    const counts = days.get(day);
    if (counts && Math.max(...counts.people, ...counts.robots) >= LEAST_EXPECTED) return false;
  }
  return true;
}

const QUARTERS_AN_HOUR = 4;

/** Marks the hours of thin projects that still have too little traffic as assessed, and returns the other projects. */
export async function skipThinProjects(watches: readonly Watch[], dueHour: number): Promise<Watch[]> {
  const thin = watches.filter(({ isThin }) => isThin);
  if (thin.length === 0) return [...watches];
  const fromHour = Math.min(...thin.map((watch) => watch.fromHour));
  const rows = await countClicks(
    thin.map(({ projectId }) => projectId),
    fromHour,
    dueHour,
  );
  const busy = new Set(rows.filter(({ clicks }) => clicks >= LEAST_EXPECTED).map(({ project_id }) => project_id));
  const idle = thin.filter(({ projectId }) => !busy.has(projectId));
  if (idle.length > 0)
    await inTransaction(async (transaction) => {
      for (const watch of idle) await passHours(watch, dueHour, true, transaction);
    });
  return watches.filter((watch) => !idle.includes(watch));
}

/** The clicks of projects between two hours, at least: a block counts as a whole. */
async function countClicks(
  projectIds: string[],
  fromHour: number,
  toHour: number,
): Promise<{ project_id: string; clicks: number }[]> {
  if (hasClickHouse()) return countOfProjects(projectIds, fromHour * HOUR_MS, toHour * HOUR_MS);
  const from = fromHour * QUARTERS_AN_HOUR;
  return queryRaw<{ project_id: string; clicks: number }>(
    `SELECT project_id, CAST(SUM(clicks) AS BIGINT) AS clicks FROM (
       SELECT project_id, clicks FROM ${BACKLOG} AS arrived
       WHERE ${inList('project_id', '$1')} AND quarter >= $2 AND quarter < $3
       UNION ALL
       SELECT project_id, clicks FROM click_blocks
       WHERE ${inList('project_id', '$1')} AND from_quarter > $4 AND from_quarter < $3 AND to_quarter > $2
     ) AS stock GROUP BY project_id`,
    [inListValue(projectIds), from, toHour * QUARTERS_AN_HOUR, from - QUARTERS_A_DAY],
  );
}
