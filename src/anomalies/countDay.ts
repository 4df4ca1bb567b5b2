import { Numbering } from '../analytics/Numbering.ts';
import { DAY_MS } from '../kernel/durations.ts';
import { type Part, TRAFFIC_CLASSES } from '../rollups/Part.ts';
import { HOUR_MS } from './Track.ts';
import { walkClicks } from './walkClicks.ts';

/** Clicks of a UTC day by its 24 hours. `links`: people, of the links that had most of them. */
export interface DayCounts {
  people: number[];
  robots: number[];
  links: Record<string, number[]>;
}

const DAY_HOURS = 24;
/** Links that are kept of a day; far more than are judged, so that one which is judged is not lost when others are busy. */
const MOST_LINKS = 100;
/** Of a day that is over: links with fewer clicks are none to be judged. */
const LEAST_CLICKS = 24;
const HUMAN = TRAFFIC_CLASSES.indexOf('human');
const PREFETCH = TRAFFIC_CLASSES.indexOf('prefetch');
const ATTEMPTS = 10;

/** Counts a UTC day since the epoch. `isOver`: no more clicks are to come. Throws when its blocks change again and again. */
export async function countDay(projectId: string, day: number, isOver: boolean): Promise<DayCounts> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const numbering = new Numbering(projectId);
    const [people, robots] = [hoursOfDay(), hoursOfDay()];
    const links = new Map<number, number[]>();
    const visit = (part: Part, first: number, end: number) => {
      const column = part.keys.link as ArrayLike<number>;
      for (let place = first; place < end; place += 1) {
        const hour = Math.floor((part.baseMs + (part.at[place] as number) - day * DAY_MS) / HOUR_MS);
        const code = part.classes[place] as number;
        if (code === PREFETCH) continue;
        if (code !== HUMAN) {
          raise(robots, hour);
          continue;
        }
        raise(people, hour);
        const link = column[place] as number;
        const hours = links.get(link) ?? hoursOfDay();
        links.set(link, hours);
        raise(hours, hour);
      }
    };
    const range = { start: day * DAY_MS, end: (day + 1) * DAY_MS };
    if (!(await walkClicks(projectId, range, ['link'], numbering, visit))) continue;
    return { people, robots, links: await busiest(links, numbering, isOver ? LEAST_CLICKS : 1) };
  }
  throw new Error('The blocks of clicks changed again and again');
}

async function busiest(links: Map<number, number[]>, numbering: Numbering, least: number) {
  const sums = [...links].map(([link, hours]) => ({ link, hours, sum: hours.reduce((a, b) => a + b, 0) }));
  const kept = sums
    .filter(({ link, sum }) => link !== 0 && sum >= least)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, MOST_LINKS);
  const ids = await numbering.keysOf(
    'link',
    kept.map(({ link }) => link),
  );
  return Object.fromEntries(kept.flatMap(({ link, hours }) => (ids.has(link) ? [[ids.get(link), hours]] : [])));
}

function hoursOfDay(): number[] {
  return new Array<number>(DAY_HOURS).fill(0);
}

function raise(hours: number[], hour: number): void {
  hours[hour] = (hours[hour] ?? 0) + 1;
}
