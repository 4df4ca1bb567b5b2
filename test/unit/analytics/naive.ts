import type { AnalyticsInput, AnalyticsResult } from '../../../src/analytics/analyticsService.ts';
import type { Click } from '../../../src/clicks/click.ts';
import { DAY_MS, QUARTER_MS } from '../../../src/kernel/clock.ts';
import { LINK_COUNT, plainClick } from './clickStore.ts';

/** Random numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Clicks of few visitors, who come again on other days, in other classes and with other properties. */
export function randomClicks(seed: number, count: number, from: number, to: number, links: string[]): Click[] {
  const random = randomFrom(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: count }, () => {
    const roundTo = pick([1, 1, 60_000, QUARTER_MS]);
    const at = Math.floor((from + random() * (to - from)) / roundTo) * roundTo;
    return {
      ...plainClick('', links[Math.floor(random() * random() * LINK_COUNT)] ?? '', at),
      trafficClass: pick(['human', 'human', 'human', 'bot', 'scanner', 'prefetch'] as const),
      country: pick(['DE', 'DE', 'AT', 'US', null]),
      device: pick(['mobile', 'desktop']),
      browser: pick(['Chrome', 'Mobile Safari', "O'Brien :browser ?", null]),
      platform: pick(['ios', 'android', 'other']),
      referrerHost: pick(['news.example', 'Ä.example', null, null]),
      region: pick(['DE-BY', 'DE-BE', null]),
      city: pick(['Berlin', null]),
      language: pick(['de', 'en-us', null]),
      slug: pick(['spring', 'autumn/2']),
      destination: pick(['https://example.com/?a=1,2', 'https://example.com/b', null]),
      rule: pick(['rule 1', null, null]),
      utm: pick([
        null,
        { source: 'mail', medium: null },
        { source: 'mail', campaign: 'x "y"', term: 't', content: 'c' },
      ]),
      tagIds: pick([[], [], TAGS.slice(0, 1), TAGS.slice(1, 3), TAGS]),
      visitor: `v${Math.floor(random() * 120)}`,
    };
  });
}

/** Ids of tags without a row, as of ones that were deleted: their key is the id. */
export const TAGS = ['tag_a', 'tag_b', 'tag_c'];

export const VALUE_OF: Record<string, (click: Click) => string | null> = {
  country: (click) => click.country,
  device: (click) => click.device,
  browser: (click) => click.browser,
  platform: (click) => click.platform,
  referrer_host: (click) => click.referrerHost,
  link: (click) => click.linkId,
  region: (click) => click.region,
  city: (click) => click.city,
  language: (click) => click.language,
  domain: (click) => click.domain,
  slug: (click) => click.slug,
  destination: (click) => click.destination,
  rule: (click) => click.rule,
  utm_source: (click) => click.utm?.source ?? null,
  utm_medium: (click) => click.utm?.medium ?? null,
  utm_campaign: (click) => click.utm?.campaign ?? null,
  utm_term: (click) => click.utm?.term ?? null,
  utm_content: (click) => click.utm?.content ?? null,
  traffic_class: (click) => click.trafficClass,
  event_name: () => null,
};

/** The keys of a click, which has one for each of its tags. */
function keysOf(click: Click, groupBy: string): (string | null)[] {
  if (groupBy === 'tag') return click.tagIds.length > 0 ? click.tagIds : [null];
  return [VALUE_OF[groupBy]?.(click) ?? null];
}

type Figures = AnalyticsResult['total'];

type Asked = AnalyticsInput & { start: Date; end: Date };

interface Answer {
  total: Figures;
  data: AnalyticsResult['data'];
}

/** What the answer must be, click by click; `wanted` stands for traffic and filters. Sorted, without a limit. */
export function naive(clicks: Click[], asked: Asked, wanted: (click: Click) => boolean): Answer {
  return naiveFigures(clicks.filter(wanted), asked, { keysOf, valuesOf: () => null });
}

/** What is counted, at a moment, by somebody. */
interface Happening {
  occurredAt: number;
  visitor: string;
}

interface Reading<One> {
  /** At least one key; null for unknown. */
  keysOf(one: One, groupBy: string): (string | null)[];
  valuesOf(some: One[]): Figures['values'];
}

/** The same of anything that happened. */
export function naiveFigures<One extends Happening>(
  happenings: One[],
  { groupBy, start, end, granularity, timezone }: Asked,
  { keysOf, valuesOf }: Reading<One>,
): Answer {
  const inside = happenings.filter((one) => one.occurredAt >= start.getTime() && one.occurredAt < end.getTime());
  const figuresOf = (some: One[]) => ({ ...countsOf(some), values: valuesOf(some) });
  const total = figuresOf(inside);
  if (!groupBy || groupBy === 'none') return { total, data: [] };
  if (groupBy === 'time') {
    const starts = naiveStarts(start.getTime(), end.getTime(), granularity ?? 'day', timezone ?? 'UTC');
    const data = starts.map((from, at) => {
      const to = starts[at + 1] ?? Number.POSITIVE_INFINITY;
      const members = inside.filter((one) => one.occurredAt >= from && one.occurredAt < to);
      return { key: new Date(from).toISOString(), ...figuresOf(members) };
    });
    return { total, data };
  }
  const byKey = new Map<string | null, One[]>();
  for (const one of inside) {
    for (const key of keysOf(one, groupBy)) {
      const members = byKey.get(key) ?? [];
      byKey.set(key, members);
      members.push(one);
    }
  }
  const data = [...byKey].map(([key, members]) => {
    const row = { key, ...figuresOf(members) };
    return groupBy === 'link' ? { ...row, linkId: key } : row;
  });
  return { total, data: data.sort((a, b) => b.count - a.count || ((a.key ?? '') < (b.key ?? '') ? -1 : 1)) };
}

function countsOf(happenings: Happening[]): Omit<Figures, 'values'> {
  const visits = new Set(happenings.map(({ occurredAt, visitor }) => `${Math.floor(occurredAt / DAY_MS)} ${visitor}`));
  return { count: happenings.length, unique: visits.size };
}

const cachedStarts = new Map<string, number[]>();

/** A bucket begins with each quarter of an hour that the clock on the wall shows in another period than the last one. */
function naiveStarts(start: number, end: number, granularity: string, zone: string): number[] {
  const id = `${start} ${end} ${granularity} ${zone}`;
  const cached = cachedStarts.get(id);
  if (cached) return cached;
  const step = granularity === 'minute' ? 60_000 : QUARTER_MS;
  const early = { minute: 1, hour: 1, day: 2, week: 9, month: 33 }[granularity] ?? 0;
  const starts: number[] = [];
  let last: string | null = null;
  for (let at = Math.floor(start / DAY_MS - early) * DAY_MS; at < end; at += step) {
    const period = periodOf(at, granularity, zone);
    if (last !== null && period !== last) starts.push(at);
    last = period;
  }
  const result = starts.filter((_, at) => (starts[at + 1] ?? end) > start);
  cachedStarts.set(id, result);
  return result;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function periodOf(instant: number, granularity: string, zone: string): string {
  if (granularity === 'minute') return String(Math.floor(instant / 60_000));
  let format = formats.get(zone);
  if (!format) {
    const digits = '2-digit';
    format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: zone,
      ...({ year: 'numeric', month: digits, day: digits, hour: digits, timeZoneName: 'shortOffset' } as const),
    });
    formats.set(zone, format);
  }
  const shown = format.format(instant);
  if (granularity === 'hour') return shown;
  if (granularity === 'month') return shown.slice(0, 7);
  if (granularity === 'day') return shown.slice(0, 10);
  return String(Math.floor((Date.parse(shown.slice(0, 10)) / DAY_MS + 3) / 7));
}
