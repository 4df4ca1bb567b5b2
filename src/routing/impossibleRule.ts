import type { StoredConditions } from './conditions.ts';
import { languageOf, referrerHostOf } from './conditionValues.ts';
import { countryOf } from './countries.ts';

type When = StoredConditions & { not?: StoredConditions | null };
type Query = NonNullable<StoredConditions['query']>[number];

/** The field of a rule's conditions that makes them impossible, and why. */
export interface Impossible {
  /** Below `when`, such as `not.platform`. */
  field: string;
  message: string;
}

/** Why no visitor can fit the conditions of a rule; null if one can, or if they are not well-formed. */
export function impossibleRule(when: When): Impossible | null {
  const never = impossibleTimes(when);
  if (never !== null) return never;
  for (const [name, areAllExcluded] of Object.entries(EXCLUSIONS) as [keyof typeof EXCLUSIONS, AreAllExcluded][]) {
    const [wanted, excluded] = [when[name], when.not?.[name]];
    if (!Array.isArray(wanted) || !Array.isArray(excluded) || wanted.length === 0) continue;
    if (areAllExcluded(wanted, excluded))
      return {
        field: `not.${name}`,
        message: `Excludes everything that ${name} asks for, so that the rule would never match.`,
      };
  }
  return null;
}

/**
 * Whether every visitor whom one of the wanted entries fits is excluded by an entry under `not`. Each entry is read once: lists
 * are long, and reading a language takes long.
 */
type AreAllExcluded = (wanted: unknown[], excluded: unknown[]) => boolean;

const EXCLUSIONS: Record<'platform' | 'device' | 'country' | 'language' | 'referrer_host' | 'query', AreAllExcluded> = {
  platform: (wanted, excluded) => areIn(excluded, wanted, String),
  device: (wanted, excluded) => areIn(excluded, wanted, String),
  country: (wanted, excluded) => areIn(excluded, wanted, readBy(countryOf)),
  language(wanted, excluded) {
    const read = readBy(languageOf);
    const starts = new Set(excluded.map(read));
    return wanted.every((one) => beginningsOf(read(one)).some((start) => starts.has(start)));
  },
  referrer_host: (wanted, excluded) => areIn(excluded, wanted, readBy(referrerHostOf)),
  query(wanted, excluded) {
    const keys = new Set(excluded.map((entry) => JSON.stringify(pairOf(entry))));
    return wanted.map(pairOf).every(([name, value]) =>
      [
        [name, null],
        [name, value],
      ].some((pair) => keys.has(JSON.stringify(pair))),
    );
  },
};

function areIn(excluded: unknown[], wanted: unknown[], read: (value: unknown) => string): boolean {
  const known = new Set(excluded.map(read));
  return wanted.every((one) => known.has(read(one)));
}

function readBy(read: (text: string) => string | null): (value: unknown) => string {
  return (value) => read(String(value)) ?? String(value);
}

/** `de-at` begins with `de` and with itself. */
function beginningsOf(tag: string): string[] {
  const parts = tag.split('-');
  return parts.map((_, at) => parts.slice(0, at + 1).join('-'));
}

/** A value of null stands for every value. */
function pairOf(entry: unknown): [name: unknown, value: unknown] {
  const { name, value = null } = (entry ?? {}) as Partial<Query>;
  return [name, value];
}

/** A rule holds from `after` until `before`, and under `not` the other way round. */
function impossibleTimes({ after, before, not }: When): Impossible | null {
  const starts = [...moment('after', after), ...moment('not.before', not?.before)];
  const ends = [...moment('before', before), ...moment('not.after', not?.after)];
  for (const start of starts)
    for (const end of ends)
      if (start.ms >= end.ms)
        return { field: end.field, message: `Must be later than ${start.field}: the rule would never match.` };
  return null;
}

function moment(field: string, text: unknown): { field: string; ms: number }[] {
  const ms = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? [] : [{ field, ms }];
}
