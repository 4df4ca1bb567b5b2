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
  for (const [name, covers] of Object.entries(COVERS) as [keyof typeof COVERS, Covers<unknown>][]) {
    const [wanted, excluded] = [when[name], when.not?.[name]];
    if (!Array.isArray(wanted) || !Array.isArray(excluded) || wanted.length === 0) continue;
    if (wanted.every((one) => excluded.some((other) => covers(other, one))))
      return {
        field: `not.${name}`,
        message: `Excludes all that ${name} asks for, so that the rule would never match.`,
      };
  }
  return null;
}

/** Whether an entry under `not` excludes every visitor that another entry fits. */
type Covers<Entry> = (excluded: Entry, wanted: Entry) => boolean;

const COVERS: {
  [Name in 'platform' | 'device' | 'country' | 'language' | 'referrer_host']: Covers<string>;
} & { query: Covers<Query> } = {
  platform: (excluded, wanted) => excluded === wanted,
  device: (excluded, wanted) => excluded === wanted,
  country: (excluded, wanted) => isSame(countryOf, excluded, wanted),
  language: (excluded, wanted) => `${readBy(languageOf, wanted)}-`.startsWith(`${readBy(languageOf, excluded)}-`),
  referrer_host: (excluded, wanted) => isSame(referrerHostOf, excluded, wanted),
  query: (excluded, wanted) =>
    excluded?.name === wanted?.name && [undefined, null, wanted?.value].includes(excluded?.value),
};

function isSame(read: (text: string) => string | null, one: string, other: string): boolean {
  return readBy(read, one) === readBy(read, other);
}

function readBy(read: (text: string) => string | null, value: unknown): string {
  return read(String(value)) ?? String(value);
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
