import { type EventColumns, TRAFFIC_CLASSES } from '../analytics/columns/EventColumns.ts';
import { KeyDictionary } from '../analytics/KeyDictionary.ts';
import { BACKLOG } from '../clicks/backlogStore.ts';
import { hasClickHouse } from '../clicks/clickhouse/connection.ts';
import { jsonList } from '../db/dialects.ts';
import { insertInto } from '../db/jsonRows.ts';
import { queryRaw } from '../db/query.ts';
import { inTransaction } from '../db/transactions.ts';
import { DAY_MS, QUARTERS_A_DAY } from '../kernel/clock.ts';
import { yieldToEventLoop } from '../kernel/yield.ts';
import { readDayStamps, readHours } from './clickHouseDays.ts';
import { DAY_HOURS, HOUR_MS } from './decide/Track.ts';
import { scanClicks } from './scanClicks.ts';

/** Clicks of a UTC day by its 24 hours. `links`: people on the links with most of them. */
export interface DayCounts {
  people: number[];
  robots: number[];
  links: Record<string, number[]>;
}

/** Links that are kept of a day: far more than are watched, so that a watched link is not lost on a day when others are busy. */
const LINKS_PER_DAY = 100;
/** Links with fewer clicks on a past day are not kept, because they cannot be watched. */
const LEAST_CLICKS = 24;
const HUMAN = TRAFFIC_CLASSES.indexOf('human');
const PREFETCH = TRAFFIC_CLASSES.indexOf('prefetch');
const ATTEMPTS = 10;

/** Days written in one transaction, when many are counted at the first check of a project. */
const BATCH = 10;

/**
 * The hourly clicks of the days from `from` to `last` (UTC, since the epoch), both included. Days are stored, and counted again when
 * their clicks have changed, however late: the figures always agree with analytics.
 */
export async function readDays(projectId: string, from: number, last: number): Promise<Map<number, DayCounts>> {
  const stamps = await readStamps(projectId, from, last);
  const rows = await queryRaw<{ day: number; stamp: string; content: string }>(
    'SELECT day, stamp, content FROM traffic_days WHERE project_id = $1 AND day >= $2 AND day <= $3',
    [projectId, from, last],
  );
  const yieldNow = yieldToEventLoop();
  const days = new Map<number, DayCounts>();
  for (const { day, stamp, content } of rows) {
    if (stamp !== stamps.get(day)) continue;
    days.set(day, JSON.parse(content));
    await yieldNow();
  }
  const outdated = [...stamps].filter(([day]) => !days.has(day));
  for (let at = 0; at < outdated.length; at += BATCH) {
    const written: [string, number, string, string][] = [];
    for (const [day, stamp] of outdated.slice(at, at + BATCH)) {
      const counts = await countDay(projectId, day, day < last);
      days.set(day, counts);
      written.push([projectId, day, stamp, JSON.stringify(counts)]);
    }
    await storeDays(written);
  }
  return days;
}

/**
 * A stamp for the clicks of each day that has any, read before they are counted: later clicks change it. It includes whether the day
 * is over, because then fewer links are kept.
 */
async function readStamps(projectId: string, from: number, last: number): Promise<Map<number, string>> {
  const stamps = hasClickHouse()
    ? await readDayStamps(projectId, from, last)
    : await stockStamps(projectId, from, last);
  return new Map([...stamps].map(([day, stamp]) => [day, `${stamp}${day < last ? ' over' : ''}`]));
}

/** By the clicks that are in blocks, the versions of the blocks, and the clicks that are in none yet. */
async function stockStamps(projectId: string, from: number, last: number): Promise<Map<number, string>> {
  const [row] = await queryRaw<{ listed: string }>(
    `SELECT ${jsonList('day, clicks, version')} AS listed FROM (
      SELECT quarter / ${QUARTERS_A_DAY} AS day, CAST(SUM(clicks) AS BIGINT) AS clicks, MAX(version) AS version FROM (
        SELECT from_quarter AS quarter, clicks, version FROM click_blocks
        WHERE project_id = $1 AND from_quarter >= $2 AND from_quarter < $3
        UNION ALL
        SELECT quarter, clicks, 0 FROM ${BACKLOG} AS arrived WHERE project_id = $1 AND quarter >= $2 AND quarter < $3
      ) AS stock GROUP BY 1
    ) AS days`,
    [projectId, from * QUARTERS_A_DAY, (last + 1) * QUARTERS_A_DAY],
  );
  const listed = JSON.parse(row?.listed ?? '[]') as [day: number, clicks: number, version: number][];
  return new Map(listed.map(([day, clicks, version]) => [day, `${clicks} ${version}`]));
}

async function storeDays(rows: readonly (readonly unknown[])[]): Promise<void> {
  await inTransaction((transaction) =>
    insertInto('traffic_days', { project_id: 'text', day: 'integer', stamp: 'text', content: 'text' }, rows, {
      transaction,
      onConflict: 'ON CONFLICT (project_id, day) DO UPDATE SET stamp = excluded.stamp, content = excluded.content',
    }),
  );
}

/** Counts a UTC day since the epoch. `isOver`: no more clicks are expected. Throws when its blocks keep changing. */
async function countDay(projectId: string, day: number, isOver: boolean): Promise<DayCounts> {
  if (hasClickHouse()) return countHours(projectId, day, isOver ? LEAST_CLICKS : 1);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const dictionary = new KeyDictionary(projectId);
    const [people, robots] = [hoursOfDay(), hoursOfDay()];
    const links = new Map<number, number[]>();
    const visit = (events: EventColumns, first: number, end: number) => {
      const column = events.keys.link as ArrayLike<number>;
      for (let index = first; index < end; index += 1) {
        const hour = Math.floor((events.baseMs + (events.at[index] as number) - day * DAY_MS) / HOUR_MS);
        const code = events.classes[index] as number;
        if (code === PREFETCH) continue;
        if (code !== HUMAN) {
          raise(robots, hour);
          continue;
        }
        raise(people, hour);
        const link = column[index] as number;
        const hours = links.get(link) ?? hoursOfDay();
        links.set(link, hours);
        raise(hours, hour);
      }
    };
    const range = { start: day * DAY_MS, end: (day + 1) * DAY_MS };
    if (!(await scanClicks(projectId, range, ['link'], dictionary, visit))) continue;
    return { people, robots, links: await busiest(links, dictionary, isOver ? LEAST_CLICKS : 1) };
  }
  throw new Error('The blocks of clicks kept changing during a count');
}

/** The same by ClickHouse. */
async function countHours(projectId: string, day: number, least: number): Promise<DayCounts> {
  const [people, robots] = [hoursOfDay(), hoursOfDay()];
  const links = new Map<string, number[]>();
  for (const { hour, linkId, trafficClass, clicks } of await readHours(projectId, day)) {
    const isPerson = trafficClass === 'human';
    raise(isPerson ? people : robots, hour, clicks);
    if (!isPerson) continue;
    const hours = links.get(linkId) ?? hoursOfDay();
    links.set(linkId, hours);
    raise(hours, hour, clicks);
  }
  const kept = mostClicked(links, least).filter(({ link }) => link !== '');
  return { people, robots, links: Object.fromEntries(kept.map(({ link, hours }) => [link, hours])) };
}

function mostClicked<Link>(links: ReadonlyMap<Link, number[]>, least: number): { link: Link; hours: number[] }[] {
  return [...links]
    .map(([link, hours]) => ({ link, hours, sum: hours.reduce((a, b) => a + b, 0) }))
    .filter(({ sum }) => sum >= least)
    .sort((a, b) => b.sum - a.sum)
    .slice(0, LINKS_PER_DAY);
}

async function busiest(links: Map<number, number[]>, dictionary: KeyDictionary, least: number) {
  links.delete(0);
  const kept = mostClicked(links, least);
  const ids = await dictionary.keysOf(
    'link',
    kept.map(({ link }) => link),
  );
  return Object.fromEntries(kept.flatMap(({ link, hours }) => (ids.has(link) ? [[ids.get(link), hours]] : [])));
}

function hoursOfDay(): number[] {
  return new Array<number>(DAY_HOURS).fill(0);
}

function raise(hours: number[], hour: number, by = 1): void {
  hours[hour] = (hours[hour] ?? 0) + by;
}
