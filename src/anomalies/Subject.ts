import type { DayCounts } from './countDay.ts';
import type { StoredIncident } from './incidents.ts';
import { makeTrack } from './Track.ts';
import type { Watched } from './watchHour.ts';

const DAY_HOURS = 24;
/** Links of a project that are judged by themselves: those that were followed most in the last week. */
const MOST_LINKS = 20;
/** Fewer in a week cannot be judged by the hour. */
const LEAST_WEEKLY = 1000;

/** A project, or one of its links. */
export interface Subject {
  id: string;
  /** Null for the project itself. */
  linkId: string | null;
  people: Float64Array;
  robots: Float64Array;
}

/** The project and its busiest links with their counts by the hour, from the first hour of `from`. */
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

/** The subject up to and with an hour, without what came after it. */
export function watchedUpTo(
  { id, people, robots }: Subject,
  fromHour: number,
  hour: number,
  incidents: readonly StoredIncident[],
): Watched {
  const own = incidents.filter(({ subjectId }) => subjectId === id);
  const end = hour - fromHour + 1;
  const born = people.findIndex((count) => count > 0);
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
    bornHour: born < 0 ? hour : fromHour + born,
  };
}
