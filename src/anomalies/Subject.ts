import type { WatchedTraffic } from './decide/decideHour.ts';
import { DAY_HOURS, makeTrack } from './decide/Track.ts';
import type { StoredIncident } from './incidentStore.ts';
import type { DayCounts } from './readDays.ts';

/** Links of a project that are watched on their own: those with most clicks in the last week. */
const MOST_LINKS = 20;
/** Clicks in a week below which a link cannot be assessed by the hour. */
const LEAST_WEEKLY = 1000;

/** A project, or one of its links. */
export interface Subject {
  id: string;
  /** Null for the project itself. */
  linkId: string | null;
  people: Float64Array;
  robots: Float64Array;
}

/** The project and its busiest links with their hourly counts, from the first hour of the day `from`. */
export function subjectsOf(
  projectId: string,
  days: ReadonlyMap<number, DayCounts>,
  { from, last }: { from: number; last: number },
  incidents: readonly StoredIncident[],
): Subject[] {
  const series = (of: (day: DayCounts) => readonly number[] | undefined) => {
    const counts = new Float64Array((last - from + 1) * DAY_HOURS);
    for (const [day, found] of days) counts.set(of(found) ?? [], (day - from) * DAY_HOURS);
    return counts;
  };
  const project = {
    id: projectId,
    linkId: null,
    people: series((day) => day.people),
    robots: series((day) => day.robots),
  };
  const open = incidents.filter(({ untilHour, subjectId }) => untilHour === null && subjectId !== projectId);
  const ids = new Set([...busiest(days, last), ...open.map(({ subjectId }) => subjectId)]);
  const links = [...ids].map((id) => ({
    id,
    linkId: id,
    people: series((day) => day.links[id]),
    robots: new Float64Array(project.people.length),
  }));
  return [project, ...links];
}

function busiest(days: ReadonlyMap<number, DayCounts>, last: number): string[] {
  const sums = new Map<string, number>();
  for (let day = last - 7; day <= last; day += 1)
    for (const [id, hours] of Object.entries(days.get(day)?.links ?? {}))
      sums.set(
        id,
        hours.reduce((sum, count) => sum + count, sums.get(id) ?? 0),
      );
  const enough = [...sums].filter(([, sum]) => sum >= LEAST_WEEKLY);
  return enough
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_LINKS)
    .map(([id]) => id);
}

/** The subject's traffic up to and including an hour. */
export function watchedUpTo(
  { id, people, robots }: Subject,
  fromHour: number,
  hour: number,
  incidents: readonly StoredIncident[],
): WatchedTraffic {
  const own = incidents.filter(({ subjectId }) => subjectId === id);
  const end = hour - fromHour + 1;
  const first = people.findIndex((count) => count > 0);
  return {
    people: makeTrack(
      fromHour,
      people.subarray(0, end),
      own.filter(({ direction }) => direction !== 'bot_flood'),
    ),
    robots: makeTrack(
      fromHour,
      robots.subarray(0, end),
      own.filter(({ direction }) => direction === 'bot_flood'),
    ),
    firstHour: first < 0 ? hour : fromHour + first,
  };
}
