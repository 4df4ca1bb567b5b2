import type { AnalyticsInput } from '../../../src/analytics/analyticsService.ts';
import { QUARTER_MS } from '../../../src/kernel/clock.ts';
import type { Origin } from '../../../src/models/Install.ts';
import { type AppRow, plainRow } from '../../support/appRows.ts';
import { naiveFigures, randomFrom, TAGS } from './naive.ts';

/** Rows of few installs, which come again on other days and with other properties. */
export function randomRows(seed: number, count: number, from: number, to: number, links: string[]): AppRow[] {
  const random = randomFrom(seed);
  const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;
  return Array.from({ length: count }, () => {
    const roundTo = pick([1, 1, 60_000, QUARTER_MS]);
    const occurredAt = Math.floor((from + random() * (to - from)) / roundTo) * roundTo;
    const isEvent = random() < 0.6;
    const isWorth = isEvent && random() < 0.5;
    return plainRow('', occurredAt, {
      visitor: `install ${Math.floor(random() * 80)}`,
      kind: isEvent ? null : pick(['install', 'reinstall', 'open', 'open']),
      name: isEvent ? pick(['buy', 'buy', 'view', "O'Brien :name ?"]) : null,
      thousandths: isWorth
        ? pick([100n, 200n, 39_900n, -5_550n, 0n, 7n, 999_999_999_999_900n, 1_234_567_890_123_457n])
        : null,
      currency: isEvent ? pick(['EUR', 'EUR', 'USD', null]) : null,
      link: pick([...links, null]),
      domain: pick(['go.example.com', null]),
      slug: pick(['spring', 'autumn/2', null]),
      platform: pick(['ios', 'android', 'web']),
      device: pick(['mobile', 'tablet', null]),
      appVersion: pick(['1.0', '1.10', null]),
      language: pick(['de', 'en-us', null]),
      country: pick(['DE', 'DE', 'AT', 'US', null]),
      region: pick(['DE-BY', 'DE-BE', null]),
      city: pick(['Berlin', null]),
      origin: pick([null, originOf(pick), originOf(pick)]),
      method: pick(['none', 'none', 'probabilistic', 'referrer']),
    });
  });
}

function originOf(pick: <T>(values: T[]) => T): Origin {
  const nothing = { source: null, medium: null, campaign: null, term: null, content: null };
  return {
    referrerHost: pick(['news.example', 'Ä.example', null]),
    destination: pick(['https://example.com/?a=1,2', 'https://example.com/b', null]),
    rule: pick(['rule 1', null]),
    utm: pick([
      null,
      { ...nothing, source: 'mail' },
      { ...nothing, source: 'mail', medium: 'm', campaign: 'x "y"', term: 't', content: 'c' },
    ]),
    tagIds: pick([[], TAGS.slice(0, 1), TAGS.slice(1, 3), TAGS]),
  };
}

/** Keys by dimension; `event_name` is that of events alone. */
export const KEY_OF: Record<string, (row: AppRow) => string | null> = {
  country: (row) => row.country,
  region: (row) => row.region,
  city: (row) => row.city,
  platform: (row) => row.platform,
  device: (row) => row.device,
  browser: () => null,
  language: (row) => row.language,
  link: (row) => row.link,
  domain: (row) => row.domain,
  slug: (row) => row.slug,
  app_version: (row) => row.appVersion,
  match_method: (row) => (row.kind === null ? null : row.method),
  event_name: (row) => row.name,
  destination: (row) => row.origin?.destination ?? null,
  rule: (row) => row.origin?.rule ?? null,
  referrer_host: (row) => row.origin?.referrerHost ?? null,
  utm_source: (row) => row.origin?.utm?.source ?? null,
  utm_medium: (row) => row.origin?.utm?.medium ?? null,
  utm_campaign: (row) => row.origin?.utm?.campaign ?? null,
  utm_term: (row) => row.origin?.utm?.term ?? null,
  utm_content: (row) => row.origin?.utm?.content ?? null,
  traffic_class: () => 'human',
};

/** What the answer must be, row by row. */
export function naiveOfApps(
  rows: AppRow[],
  asked: Omit<AnalyticsInput, 'projectId'> & { event: string; start: Date; end: Date },
  wanted: (row: AppRow) => boolean = () => true,
): ReturnType<typeof naiveFigures> {
  const isMeant: Record<string, (row: AppRow) => boolean> = {
    install: ({ kind }) => kind === 'install',
    open: ({ kind }) => kind !== null,
    app_event: ({ name }) => name !== null,
  };
  const meant = rows.filter((row) => isMeant[asked.event]?.(row) && wanted(row));
  return naiveFigures(
    meant,
    { projectId: '', ...asked },
    {
      keysOf(row, groupBy) {
        if (groupBy !== 'tag') return [KEY_OF[groupBy]?.(row) ?? null];
        return row.origin && row.origin.tagIds.length > 0 ? row.origin.tagIds : [null];
      },
      valuesOf: (some) => (asked.event === 'app_event' ? sumsOf(some) : null),
    },
  );
}

/** In whole thousandths. */
export function sumsOf(rows: AppRow[]): { currency: string | null; sum: number }[] {
  return ['EUR', 'USD', null].flatMap((currency) => {
    const worth = rows.flatMap((row) => (row.currency === currency ? (row.thousandths ?? []) : []));
    if (worth.length === 0) return [];
    const sum = worth.reduce((all, one) => all + one, 0n);
    const digits = String(sum < 0n ? -sum : sum).padStart(4, '0');
    return [{ currency, sum: Number(`${sum < 0n ? '-' : ''}${digits.slice(0, -3)}.${digits.slice(-3)}`) }];
  });
}
