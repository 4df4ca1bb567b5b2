import { literal, literalList } from '../clicks/clickhouse/connection.ts';
import { ofProject, selectClicks } from '../clicks/clickhouse/rows.ts';
import { CLICKS } from '../clicks/clickhouse/table.ts';
import { DAY_MS } from '../kernel/clock.ts';
import { HOUR_MS } from './decide/Track.ts';

/** Clicks of an hour of a day on a link, by one class. */
export interface HourCount {
  hour: number;
  linkId: string;
  trafficClass: string;
  clicks: number;
}

/** For each UTC day that has clicks what tells whether they are the same as before. */
export async function readDayStamps(projectId: string, from: number, last: number): Promise<Map<number, string>> {
  const rows = await selectClicks<{ day: number; clicks: number; versions: number }>(
    `SELECT intDiv(occurred_ms, ${DAY_MS}) AS day, count() AS clicks, sum(version) AS versions FROM ${CLICKS}
     WHERE ${ofProject(projectId)} AND occurred_ms >= ${literal(from * DAY_MS)} AND occurred_ms < ${literal((last + 1) * DAY_MS)}
     GROUP BY day`,
  );
  return new Map(rows.map(({ day, clicks, versions }) => [Number(day), `${clicks} of ${versions}`]));
}

/** The clicks of a UTC day without prefetches. */
export async function readHours(projectId: string, day: number): Promise<HourCount[]> {
  const rows = await selectClicks<{ hour: number; link_id: string; traffic_class: string; clicks: number }>(
    `SELECT intDiv(occurred_ms - ${literal(day * DAY_MS)}, ${HOUR_MS}) AS hour, link_id, traffic_class, count() AS clicks
     FROM ${CLICKS} WHERE ${ofProject(projectId)} AND occurred_ms >= ${literal(day * DAY_MS)}
       AND occurred_ms < ${literal((day + 1) * DAY_MS)} AND traffic_class <> 'prefetch' GROUP BY hour, link_id, traffic_class`,
  );
  return rows.map(({ hour, link_id, traffic_class, clicks }) => ({
    hour: Number(hour),
    linkId: link_id,
    trafficClass: traffic_class,
    clicks: Number(clicks),
  }));
}

/** The clicks of each project that has any between two times. */
export async function countOfProjects(
  projectIds: readonly string[],
  fromMs: number,
  toMs: number,
): Promise<{ project_id: string; clicks: number }[]> {
  const rows = await selectClicks<{ project_id: string; clicks: number }>(
    `SELECT project_id, count() AS clicks FROM ${CLICKS} WHERE project_id IN ${literalList(projectIds)}
       AND occurred_ms >= ${literal(fromMs)} AND occurred_ms < ${literal(toMs)} GROUP BY project_id`,
  );
  return rows.map(({ project_id, clicks }) => ({ project_id, clicks: Number(clicks) }));
}
