import { Numbering } from '../analytics/Numbering.ts';
import type { Dimension } from '../clicks/dimensions.ts';
import { type Part, TRAFFIC_CLASSES } from '../rollups/Part.ts';
import type { Direction } from './Incident.ts';
import { type KeyChange, type LargestPart, largestPart } from './largestPart.ts';
import { HOUR_MS } from './Track.ts';
import { walkClicks } from './walkClicks.ts';

/** What an incident may be explained by, what people can do most about first. */
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

/** Weeks before whose same hours say what the parts of the traffic usually are. */
const WEEKS = 4;
const WEEK_HOURS = 168;
const HUMAN = TRAFFIC_CLASSES.indexOf('human');
const PREFETCH = TRAFFIC_CLASSES.indexOf('prefetch');

/** Hours of an incident, from the first to the last that was judged. */
export interface Question {
  projectId: string;
  /** Null: all links. */
  linkId: string | null;
  direction: Direction;
  fromHour: number;
  hour: number;
  /** Of these hours together. */
  expected: number;
  /** Whether an hour of a week before is an example of what is usual. */
  isUsual(hour: number): boolean;
}

/**
 * The value of a dimension that moved most: hours of an incident beside the same hours of weeks before, those raised to
 * the level that was expected. Null where no part of the traffic stands out.
 */
export async function explain(question: Question): Promise<LargestPart | null> {
  const { fromHour, hour, expected } = question;
  const numbering = new Numbering(question.projectId);
  const now = await countKeys(question, numbering, 0);
  const before: KeyCounts[] = [];
  for (let week = 1; week <= WEEKS; week += 1) {
    let isUsual = true;
    for (let at = fromHour; at <= hour; at += 1) isUsual &&= question.isUsual(at - week * WEEK_HOURS);
    const counts = isUsual ? await countKeys(question, numbering, week) : null;
    if (counts && counts.total > 0) before.push(counts);
  }
  if (!now) return null;
  const usual = before.reduce((sum, { total }) => sum + total, 0);
  const factor = usual > 0 ? expected / usual : 0;
  const changes: KeyChange[] = [];
  for (const dimension of EXPLAINING) {
    if (question.linkId !== null && dimension === 'link') continue;
    const numbers = new Set([now, ...before].flatMap(({ keys }) => [...(keys.get(dimension)?.keys() ?? [])]));
    const names = await numbering.keysOf(dimension, [...numbers]);
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

/** Null: blocks were changed again and again, and an alert is not to wait for its explanation. */
async function countKeys(question: Question, numbering: Numbering, weeksBefore: number): Promise<KeyCounts | null> {
  const { projectId, linkId, direction, fromHour, hour } = question;
  const start = (fromHour - weeksBefore * WEEK_HOURS) * HOUR_MS;
  const range = { start, end: start + (hour - fromHour + 1) * HOUR_MS };
  if (linkId !== null) await numbering.learn([['link', linkId]]);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const counts: KeyCounts = { total: 0, keys: new Map(EXPLAINING.map((name) => [name, new Map()])) };
    const wanted = linkId === null ? null : numbering.numberOf('link', linkId);
    const isMeant = ({ classes, keys }: Part, place: number) => {
      const code = classes[place] as number;
      if (direction === 'bot_flood' ? code === HUMAN || code === PREFETCH : code !== HUMAN) return false;
      return wanted === null || keys.link?.[place] === wanted;
    };
    const visit = (part: Part, first: number, end: number) => {
      for (let place = first; place < end; place += 1) {
        if (!isMeant(part, place)) continue;
        counts.total += 1;
        for (const [name, found] of counts.keys) {
          const number = part.keys[name]?.[place] ?? 0;
          found.set(number, (found.get(number) ?? 0) + 1);
        }
      }
    };
    if (await walkClicks(projectId, range, EXPLAINING, numbering, visit)) return counts;
  }
  return null;
}
