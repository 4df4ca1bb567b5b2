import { remembering } from '../kernel/remembering.ts';
import { canonicalZone, isTimeZone } from '../kernel/timeZones.ts';
import type { Screen } from './deviceFacts.ts';

/** How what an app tells compares with what a click told. `unknown`: one of them says nothing; `unlikely`: it hardly fits. */
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

/** Apple's browsers name the family (`iPhone`), some inside apps and apps the model (`iPhone17,3`); Android's name the model, apps often with its maker. */
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

/** Knows old names (`iw` is `he`), and leaves out calendars and the like, which Apple writes behind an @. */
const languageOf = remembering((tag: string): Language => {
  try {
    const { language, script, region } = new Intl.Locale(tag.replaceAll('_', '-').replace(/[@.].*/, ''));
    return { language, script, region };
  } catch {
    return {};
  }
}, 1000);

/** By the zone that the click's page told, else by whether the country of its address has the zone at all. */
export function compareZones(
  { timezone, country }: { timezone: string | null; country: string | null },
  ofApp: string | null,
): Likeness {
  const zone = known(ofApp ?? '').zone;
  if (zone === null) return 'unknown';
  const told = known(timezone ?? '').zone;
  if (told !== null) return told === zone ? 'same' : 'different';
  const zones = country === null ? [] : zonesOf(country).zones;
  if (zones.length === 0) return 'unknown';
  // People travel, and databases of addresses err.
  return zones.includes(zone) ? 'same' : 'unlikely';
}

/** An offset is no zone: several have it, some for a part of the year. To ask Intl costs some 30 µs. */
const known = remembering(
  (name: string): { zone: string | null } => ({ zone: isTimeZone(name) ? canonicalZone(name) : null }),
  1000,
);

const zonesOf = remembering((country: string): { zones: string[] } => {
  if (!/^[A-Z]{2}$/.test(country)) return { zones: [] };
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & { getTimeZones?: () => string[] | undefined };
  return { zones: (locale.getTimeZones?.() ?? []).flatMap((name) => canonicalZone(name) ?? []) };
}, 300);

/** Rounding makes a difference of a point or two. */
const TOLERANCE = 2;

/** However the device is held. */
export function compareScreens(one: Screen | null, other: Screen | null): Likeness {
  const [a, b] = [sidesOf(one), sidesOf(other)];
  if (!a || !b) return 'unknown';
  return a.every((side, at) => Math.abs(side - (b[at] as number)) <= TOLERANCE) ? 'same' : 'different';
}

function sidesOf(screen: Screen | null): number[] | null {
  const { width, height } = screen ?? {};
  return width && height ? [width, height].sort((a, b) => a - b) : null;
}
