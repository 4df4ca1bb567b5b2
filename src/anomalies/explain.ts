import { type EventColumns, TRAFFIC_CLASSES } from '../analytics/columns/EventColumns.ts';
import { KeyDictionary } from '../analytics/KeyDictionary.ts';
import type { Dimension } from '../clicks/dimensions.ts';
import { type KeyChange, type LargestPart, largestPart } from './decide/largestPart.ts';
import { type Direction, HOUR_MS, WEEK_HOURS } from './decide/Track.ts';
import { scanClicks } from './scanClicks.ts';

/** Dimensions that may explain an incident, those first that people can do most about. */
const EXPLAINING = [
  'link',
  'country',
  'referrer_host',
  'utm_campaign',
  'utm_source',
  'utm_medium',
  'platform',
  'device',
  'browser',
  'language',
  'domain',
  'destination',
  'rule',
  'region',
  'city',
] as const satisfies Dimension[];

/** Earlier weeks whose same hours show the usual parts of the traffic. */
const WEEKS = 4;
const HUMAN = TRAFFIC_CLASSES.indexOf('human');
const PREFETCH = TRAFFIC_CLASSES.indexOf('prefetch');

/** The hours of an incident, from the first to the last assessed one. */
export interface IncidentHours {
  projectId: string;
  /** Null: all links. */
  linkId: string | null;
  direction: Direction;
  fromHour: number;
  hour: number;
  /** Clicks expected in these hours together. */
  expected: number;
  /** Whether an hour of an earlier week is an example of usual traffic. */
  isUsual(hour: number): boolean;
}

/**
 * The key that changed most: compares the hours of an incident with the same hours of earlier weeks, scaled to the expected level.
 * Null when no part of the traffic stands out.
 */
export async function explain(query: IncidentHours): Promise<LargestPart | null> {
  const { fromHour, hour, expected } = query;
  const dictionary = new KeyDictionary(query.projectId);
  const now = await countKeys(query, dictionary, 0);
  const before: KeyCounts[] = [];
  for (let week = 1; week <= WEEKS; week += 1) {
    let isUsual = true;
    for (let at = fromHour; at <= hour; at += 1) isUsual &&= query.isUsual(at - week * WEEK_HOURS);
    const counts = isUsual ? await countKeys(query, dictionary, week) : null;
    if (counts && counts.total > 0) before.push(counts);
  }
  if (!now) return null;
  const usual = before.reduce((sum, { total }) => sum + total, 0);
  const factor = usual > 0 ? expected / usual : 0;
  const changes: KeyChange[] = [];
  for (const dimension of EXPLAINING) {
    if (query.linkId !== null && dimension === 'link') continue;
    const numbers = new Set([now, ...before].flatMap(({ keys }) => [...(keys.get(dimension)?.keys() ?? [])]));
    const names = await dictionary.keysOf(dimension, [...numbers]);
    for (const number of numbers) {
      const sum = before.reduce((all, { keys }) => all + (keys.get(dimension)?.get(number) ?? 0), 0);
      const actual = now.keys.get(dimension)?.get(number) ?? 0;
      changes.push({ dimension, key: names.get(number) ?? null, expected: sum * factor, actual });
    }
  }
  return largestPart(changes, expected, now.total);
}

interface KeyCounts {
  total: number;
  /** By dimension and number of the key. */
  keys: Map<string, Map<number, number>>;
}

const ATTEMPTS = 10;

/** Null when blocks kept changing: an alert must not wait for its explanation. */
async function countKeys(
  query: IncidentHours,
  dictionary: KeyDictionary,
  weeksBefore: number,
): Promise<KeyCounts | null> {
  const { projectId, linkId, direction, fromHour, hour } = query;
  const start = (fromHour - weeksBefore * WEEK_HOURS) * HOUR_MS;
  const range = { start, end: start + (hour - fromHour + 1) * HOUR_MS };
  if (linkId !== null) await dictionary.learn([['link', linkId]]);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const counts: KeyCounts = { total: 0, keys: new Map(EXPLAINING.map((name) => [name, new Map()])) };
    const wanted = linkId === null ? null : dictionary.numberOf('link', linkId);
    const isCounted = ({ classes, keys }: EventColumns, index: number) => {
      const code = classes[index] as number;
      if (direction === 'bot_flood' ? code === HUMAN || code === PREFETCH : code !== HUMAN) return false;
      return wanted === null || keys.link?.[index] === wanted;
    };
    const visit = (events: EventColumns, first: number, end: number) => {
      for (let index = first; index < end; index += 1) {
        if (!isCounted(events, index)) continue;
        counts.total += 1;
        for (const [name, found] of counts.keys) {
          const number = events.keys[name]?.[index] ?? 0;
          found.set(number, (found.get(number) ?? 0) + 1);
        }
      }
    };
    if (await scanClicks(projectId, range, EXPLAINING, dictionary, visit)) return counts;
  }
  return null;
}
