import type { Target } from './formats.ts';

type Given = Partial<Record<Target, string>>;
type Rule = { when: Record<string, string[]>; destination: string };

const TRUE = /^(true|yes|1|y|on)$/i;

/** Other destinations for some visitors, and what phones do with an app, as our routing says them; null for none. */
export function routingOf(given: Given): Record<string, unknown> | null {
  const rules = rulesOf(given);
  const { deep_link_path, ios_app, android_app } = given;
  const path = deep_link_path ? { deep_link_path } : {};
  const isForApps = Boolean(deep_link_path || ios_app || android_app) && !TRUE.test(given.web_only ?? '');
  // Who has not the app that the row names goes to its store, unless the row says where.
  const ios = { ...path, ...(ios_app && !given.ios_url && !given.tablet_url ? { fallback: 'store' } : {}) };
  const android = { ...path, ...(android_app && !given.android_url ? { fallback: 'store' } : {}) };
  const routing = {
    ...(rules.length > 0 ? { rules } : {}),
    ...(isForApps ? { open_app: true } : {}),
    ...(Object.keys(ios).length > 0 ? { ios } : {}),
    ...(Object.keys(android).length > 0 ? { android } : {}),
  };
  return Object.keys(routing).length > 0 ? routing : null;
}

/** The device decides before the country, as it does with those who have both. */
function rulesOf({ ios_url, tablet_url, android_url, desktop_url, geo, destination }: Given): Rule[] {
  const rule = (when: Rule['when'], to: string | undefined): Rule[] => (to ? [{ when, destination: to }] : []);
  const countries = Object.entries(countriesIn(geo) ?? {});
  return [
    ...rule({ platform: ['ios'], device: ['tablet'] }, tablet_url),
    ...rule({ platform: ['ios'] }, ios_url),
    ...rule({ platform: ['android'] }, android_url),
    ...rule({ device: ['desktop'] }, desktop_url === destination ? undefined : desktop_url),
    ...countries.flatMap(([country, to]) => rule({ country: [country] }, to)),
  ];
}

/** Where each country leads: `{"DE": "https://…"}`, or `DE=https://…; AT=https://…`. Null for what is neither. */
export function countriesIn(cell: string | undefined): Record<string, string> | null {
  const text = cell?.trim() ?? '';
  if (text === '' || /^(\{\}|\[\]|null)$/.test(text)) return {};
  const pairs = text.startsWith('{') ? jsonPairs(text) : text.split(/[;\n|]|,(?=\s*[A-Za-z]{2}\s*[:=])/).map(pairOf);
  if (!pairs?.every((pair) => pair !== null)) return null;
  return Object.fromEntries(pairs);
}

type Pair = [country: string, destination: string];

function jsonPairs(text: string): (Pair | null)[] | null {
  try {
    return Object.entries(JSON.parse(text)).map(([country, to]) => checked(country, to));
  } catch {
    return null;
  }
}

function pairOf(text: string): Pair | null {
  const [, country = '', to = ''] = /^\s*([A-Za-z]{2})\s*[:=]\s*(\S+)\s*$/.exec(text) ?? [];
  return checked(country, to);
}

function checked(country: string, to: unknown): Pair | null {
  return /^[A-Za-z]{2}$/.test(country) && typeof to === 'string' && to !== '' ? [country.toUpperCase(), to] : null;
}
