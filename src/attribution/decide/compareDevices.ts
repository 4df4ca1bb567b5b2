import type { Screen } from '../../clicks/matchClickStore.ts';
import { memoize } from '../../kernel/cache.ts';
import { canonicalZone, isTimeZone } from '../../kernel/clock.ts';

/** What an app reports about its device when it is opened. */
export interface DeviceFacts {
  platform: 'ios' | 'android' | 'web';
  osVersion: string | null;
  deviceModel: string | null;
  /** Such as `de-DE`. */
  language: string | null;
  /** Such as `Europe/Berlin`. */
  timezone: string | null;
  screen: Screen | null;
  /** Milliseconds since the epoch, by our clock. */
  openedAt: number;
}

/** How an app's fact compares with a click's. `unknown`: one side is missing; `unlikely`: possible, but hardly. */
export type Likeness = 'same' | 'related' | 'unlikely' | 'different' | 'unknown';

/** `18.6.1` and `18.6` are the same; `18` alone is related to both. `iOS 18.6` is read as 18.6. */
export function compareVersions(one: string | null, other: string | null): Likeness {
  const [a, b] = [numbersOf(one), numbersOf(other)];
  if (a[0] === undefined || b[0] === undefined) return 'unknown';
  if (a[0] !== b[0]) return 'different';
  if (a.length === 1 && b.length === 1) return 'same';
  if (a[1] === undefined || b[1] === undefined) return 'related';
  return a[1] === b[1] ? 'same' : 'different';
}

function numbersOf(version: string | null): number[] {
  const [found] = /\d{1,4}(?:[._]\d{1,4}){0,3}/.exec(version ?? '') ?? [];
  return found?.split(/[._]/).map(Number) ?? [];
}

const APPLE = /iphone|ipad|ipod/i;
const APPLE_MODEL = /(iphone|ipad|ipod)\d+,\d+/i;

/**
 * Apple's browsers name the family (`iPhone`), while apps and some in-app browsers name the model (`iPhone17,3`). Android
 * browsers name the model, and apps often put the maker before it.
 */
export function compareModels(ofClick: string | null, ofApp: string | null): Likeness {
  if (!ofClick || !ofApp) return 'unknown';
  const models = [APPLE_MODEL.exec(ofClick)?.[0], APPLE_MODEL.exec(ofApp)?.[0]];
  const [one, other] = models.every(Boolean) ? models : [APPLE.exec(ofClick)?.[0], APPLE.exec(ofApp)?.[0]];
  if (one && other && one.toLowerCase() !== other.toLowerCase()) return 'different';
  if (one && other) return models.every(Boolean) ? 'same' : 'related';
  const [click, app] = [wordsOf(ofClick), wordsOf(ofApp)];
  if (!click || !app) return 'unknown';
  return app === click || app.endsWith(` ${click}`) || click.endsWith(` ${app}`) ? 'same' : 'different';
}

function wordsOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** `de-DE`, `de_DE` and `de-Latn-DE` are the same, `de` and `de-AT` are related to them; so are other scripts. */
export function compareLanguages(one: string | null, other: string | null): Likeness {
  const [a, b] = [languageOf(one ?? ''), languageOf(other ?? '')];
  if (!a.language || !b.language) return 'unknown';
  if (a.language !== b.language) return 'different';
  const isOtherScript = a.script && b.script && a.script !== b.script;
  return a.region === b.region && !isOtherScript ? 'same' : 'related';
}

interface Language {
  language?: string | undefined;
  script?: string | undefined;
  region?: string | undefined;
}

/** `Intl` knows old names (`iw` is `he`). What Apple writes after an @, such as the calendar, is cut off. */
const languageOf = memoize((tag: string): Language => {
  try {
    const { language, script, region } = new Intl.Locale(tag.replaceAll('_', '-').replace(/[@.].*/, ''));
    return { language, script, region };
  } catch {
    return {};
  }
}, 1000);

/** Compares with the zone that the click's page reported, else with the zones of the country of the click's address. */
export function compareZones(
  { timezone, country }: { timezone: string | null; country: string | null },
  ofApp: string | null,
): Likeness {
  const zone = known(ofApp ?? '').zone;
  if (zone === null) return 'unknown';
  const reported = known(timezone ?? '').zone;
  if (reported !== null) return reported === zone ? 'same' : 'different';
  const zones = country === null ? [] : zonesOf(country).zones;
  if (zones.length === 0) return 'unknown';
  // People travel, and GeoIP databases are sometimes wrong.
  return zones.includes(zone) ? 'same' : 'unlikely';
}

/** An offset is not a zone: several zones share one, some for a part of the year. Asking Intl takes about 30 µs. */
const known = memoize(
  (name: string): { zone: string | null } => ({ zone: isTimeZone(name) ? canonicalZone(name) : null }),
  1000,
);

const zonesOf = memoize((country: string): { zones: string[] } => {
  if (!/^[A-Z]{2}$/.test(country)) return { zones: [] };
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getTimeZones?: () => string[] | undefined;
    timeZones?: string[];
  };
  // Node 22 has the property alone.
  return { zones: (locale.getTimeZones?.() ?? locale.timeZones ?? []).flatMap((name) => canonicalZone(name) ?? []) };
}, 300);

/** In points; sides are rounded differently. */
const TOLERANCE = 2;

/** The orientation does not matter. */
export function compareScreens(one: Screen | null, other: Screen | null): Likeness {
  const [a, b] = [sidesOf(one), sidesOf(other)];
  if (!a || !b) return 'unknown';
  return a.every((side, at) => Math.abs(side - (b[at] as number)) <= TOLERANCE) ? 'same' : 'different';
}

function sidesOf(screen: Screen | null): number[] | null {
  const { width, height } = screen ?? {};
  return width && height ? [width, height].sort((a, b) => a - b) : null;
}
